/** What goes between the loop and the thread that a session lives in. */
import type { Json } from "@orrery/stdx";
import type { Outcome, SessionOptions, TogetherOutcome } from "./target.ts";
import type { TargetName } from "./targets/table.ts";

export type ToCell =
  | { readonly kind: "open"; readonly target: TargetName; readonly options: SessionOptions }
  | { readonly kind: "run"; readonly case: Json }
  | { readonly kind: "run-together"; readonly cases: readonly Json[] }
  | { readonly kind: "settle" }
  | { readonly kind: "close" };

/** One for each message to the cell, in order. */
export type FromCell =
  | { readonly kind: "opened" }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "together"; readonly outcome: TogetherOutcome }
  | { readonly kind: "closed" };
