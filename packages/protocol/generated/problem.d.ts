/** Generated from proto/problem.proto. */
import type { JsonValue } from "./json.js";
import type { Message } from "@orrery/stdx/codec";

export interface Problem {
  readonly type: string;
  readonly reason: string | null;
  readonly status: number;
  readonly metadata: JsonValue | null;
  readonly causedBy: Problem | null;
  readonly suppressed: ProblemList | null;
  readonly rootCauses: ProblemList | null;
  readonly internal: string | null;
  readonly isRetryable: boolean | null;
}
export const Problem: Message<Problem>;

export interface ProblemList {
  readonly problems: readonly Problem[];
}
export const ProblemList: Message<ProblemList>;
