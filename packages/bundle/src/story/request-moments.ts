/**
 * Moments of clients: times at which requests fail, or wait long.
 *
 * Only clients of workloads are observed; their names end in a number. Checkers and scripts have other names.
 */
import type { RecordedEvent } from "../types.ts";
import type { AddCandidate, Narrator } from "./moment.ts";
import { counted, secondsOf } from "./words.ts";

interface Trouble {
  readonly fromMs: number;
  toMs: number;
  late: number;
  longestMs: number;
  refused: number;
  unanswered: number;
}

/** Wait from which an answer counts as late. */
const LATE_MS = 1000;
/** Troubles with a shorter pause between them are one moment. */
const PAUSE_MS = 1500;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

export function narrateRequests(add: AddCandidate): Narrator {
  const sent = new Map<string, number>();
  const troubles: Trouble[] = [];
  const note = (fromMs: number, toMs: number): Trouble => {
    const last = troubles.find((one) => fromMs <= one.toMs + PAUSE_MS && toMs >= one.fromMs);
    if (last !== undefined) {
      last.toMs = Math.max(last.toMs, toMs);
      return last;
    }
    const trouble = { fromMs, toMs, late: 0, longestMs: 0, refused: 0, unanswered: 0 };
    troubles.push(trouble);
    return trouble;
  };
  const answered = (event: Extract<RecordedEvent, { readonly kind: "client-response" }>): void => {
    const { client, id, status, outcome, at_ms: atMs } = event;
    const fromMs = sent.get(`${client}:${id}`);
    sent.delete(`${client}:${id}`);
    if (fromMs === undefined) return;
    const waitedMs = atMs - fromMs;
    if (outcome === "unknown") note(fromMs, atMs).unanswered += 1;
    else if (status >= SERVER_ERROR || status === TOO_MANY_REQUESTS)
      note(fromMs, atMs).refused += 1;
    else if (waitedMs >= LATE_MS) {
      const trouble = note(fromMs, atMs);
      trouble.late += 1;
      trouble.longestMs = Math.max(trouble.longestMs, waitedMs);
    }
  };
  return {
    event: (event) => {
      if (event.kind === "client-response") answered(event);
      else if (event.kind === "client-request" && isOfWorkload(event.client))
        sent.set(`${event.client}:${event.id}`, event.at_ms);
    },
    end: () => {
      for (const trouble of troubles) tell(trouble, add);
    },
  };
}

/** True if the client belongs to a workload. */
export function isOfWorkload(client: string): boolean {
  return /-\d+$/.test(client);
}

function tell({ fromMs, toMs, late, longestMs, refused, unanswered }: Trouble, add: AddCandidate) {
  const parts = [
    ...(refused === 0
      ? []
      : [`${counted(refused, "request")} of clients ${refused === 1 ? "is" : "are"} refused`]),
    ...(unanswered === 0
      ? []
      : [`${counted(unanswered, "request")} ${unanswered === 1 ? "gets" : "get"} no answer`]),
    ...(late === 0
      ? []
      : [
          `${counted(late, "request")} ${late === 1 ? "waits" : "wait"} up to ${secondsOf(longestMs)}`,
        ]),
  ];
  add({
    ...{ atMs: fromMs, kind: "requests", weight: refused + unanswered > 0 ? 81 : 68 },
    says: () => `${parts.join(", ")}, until ${secondsOf(toMs)}`,
  });
}
