/** Messages between the loop and the thread of a session. */
import type { Json } from "@orrery/stdx";
import type { Outcome, SessionOptions, TogetherOutcome } from "./target.ts";
import type { TargetName } from "./targets/table.ts";

export type ToCell =
  | { readonly kind: "open"; readonly target: TargetName; readonly options: SessionOptions }
  | { readonly kind: "run"; readonly case: Json }
  | { readonly kind: "run-together"; readonly cases: readonly Json[] }
  | { readonly kind: "settle" }
  | { readonly kind: "close" };

/** Response to each message, in order. */
export type FromCell =
  | { readonly kind: "opened" }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "together"; readonly outcome: TogetherOutcome }
  | { readonly kind: "closed" };
