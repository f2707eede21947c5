/** A parameter of a field type: how it is read, its default, whether a later mapping may change it. */
import type { Analysis } from "@orrery/analysis";
import type { Json } from "@orrery/stdx";

export interface ParameterContext {
  readonly analysis: Analysis;
  /** Name of the field (its last part), for messages. */
  readonly field: string;
}

export interface Parameter {
  readonly fallback: Json;
  readonly parse: (value: Json, context: ParameterContext) => Json;
  readonly canUpdate: boolean;
  /** Narrows `canUpdate`. */
  readonly canChange?: (from: Json, to: Json) => boolean;
  /** What the mapping says is kept and printed even when it says the default, because an index setting has another. */
  readonly isExplicit?: boolean;
  /** Printed even when it has its default. */
  readonly isAlwaysPrinted?: boolean;
  readonly isRequired?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;
