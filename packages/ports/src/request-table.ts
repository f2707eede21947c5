/** Something for each request of others: by who asked, which of its endpoints, and the number it gave the request. */
import { createIdTable, type IdTable } from "@orrery/stdx";
import type { FrameHeader } from "./frame.ts";

export type RequestName = Pick<FrameHeader, "from" | "endpoint" | "correlationId">;

export interface RequestTable<T> {
  get(request: RequestName): T | undefined;
  set(request: RequestName, value: T): void;
  /** What was there. */
  delete(request: RequestName): T | undefined;
  /** A copy, in the order they came from each endpoint. */
  values(): readonly T[];
}

export function createRequestTable<T>(): RequestTable<T> {
  // Two levels: no text is made for a request, and an endpoint that asked once asks again.
  const endpoints = new Map<string, Map<number, IdTable<T>>>();
  const requestsOf = ({ from, endpoint }: RequestName): IdTable<T> | undefined =>
    endpoints.get(from)?.get(endpoint);
  return {
    get: (request) => requestsOf(request)?.get(request.correlationId),
    set: (request, value) => {
      let requests = requestsOf(request);
      if (requests === undefined) {
        requests = createIdTable<T>();
        const known = endpoints.get(request.from) ?? new Map<number, IdTable<T>>();
        known.set(request.endpoint, requests);
        endpoints.set(request.from, known);
      }
      requests.set(request.correlationId, value);
    },
    delete: (request) => requestsOf(request)?.delete(request.correlationId),
    values: () =>
      [...endpoints.values()].flatMap((known) =>
        [...known.values()].flatMap((requests) => requests.values()),
      ),
  };
}
