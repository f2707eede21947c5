/**
 * Parameters of field types: how each is parsed, its default, and whether a later mapping may
 * change it. Source: `ParametrizedFieldMapper.Parameter`.
 */
import type { Analysis } from "@orrery/analysis";
import type { Json } from "@orrery/stdx";

/** The field whose parameter is parsed. */
export interface ParameterContext {
  readonly analysis: Analysis;
  /** Last part of the field's path, for messages. */
  readonly field: string;
}

/** One parameter. */
export interface Parameter {
  /** The default, which is not printed. */
  readonly fallback: Json;
  /**
   * Checks and normalises a value.
   * @throws OperationError 400
   */
  readonly parse: (value: Json, context: ParameterContext) => Json;
  /** A mapping update may change the value. */
  readonly canUpdate: boolean;
  /**
   * Whether an update may make this change of an updatable parameter; absent: every change is
   * allowed.
   */
  readonly canChange?: (from: Json, to: Json) => boolean;
  /**
   * A given value is kept and printed even if it equals the default, because an index setting may
   * have another default.
   */
  readonly isExplicit?: boolean;
  /** The default is printed as well. */
  readonly isAlwaysPrinted?: boolean;
  readonly isRequired?: boolean;
}

/** Parameters by name. */
export type Parameters = Readonly<Record<string, Parameter>>;
