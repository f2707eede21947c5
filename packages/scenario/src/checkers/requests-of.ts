/** Requests of a plan: those of its timeline, and those of its clients as templates, before a document is filled in. */
import type { Json } from "@orrery/stdx";
import type { Plan } from "../plan.ts";

export interface PlannedRequest {
  readonly method: string;
  readonly uri: string;
  readonly body: Json | undefined;
  /** `true`: drawn by a client from its mix; `false`: sent by the timeline. */
  readonly isDrawn: boolean;
}

/** Requests of the timeline and of all clients. */
export function requestsOf({ timeline, workload }: Plan): readonly PlannedRequest[] {
  const scripted = timeline.flatMap(({ action }) => {
    if (action.kind !== "request") return [];
    const { method, uri, body } = action.step;
    return [{ method, uri, body, isDrawn: false }];
  });
  const drawn = workload.flatMap((clients) => {
    if (clients.kind !== "requests") return [];
    return clients.mix.map(({ request, body }) => {
      const [method = "", uri = ""] = request.split(" ");
      return { method, uri, body, isDrawn: true };
    });
  });
  return [...scripted, ...drawn];
}
