/** A table of values by request of other endpoints: the key is node, endpoint and correlation id. */
import { createIdTable, type IdTable } from "@orrery/stdx";
import type { FrameHeader } from "./frame.ts";

/** Identifies a request among all requests to this node. */
export type RequestName = Pick<FrameHeader, "from" | "endpoint" | "correlationId">;

export interface RequestTable<T> {
  get(request: RequestName): T | undefined;
  set(request: RequestName, value: T): void;
  /** The removed value; `undefined` when there was none. */
  delete(request: RequestName): T | undefined;
  /** A copy of all values; those of one endpoint in the order of their requests. */
  values(): readonly T[];
}

export function createRequestTable<T>(): RequestTable<T> {
  // Nested tables instead of one keyed by a joined text: no text is built per request. Tables of endpoints are kept,
  // since an endpoint that has sent one request sends more.
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
