/**
 * Parameters that field types have in common: parsing, defaults, and whether a mapping update may
 * change them. Source: `ParametrizedFieldMapper.Parameter`.
 */
import type { Parameter } from "../language/parameter.ts";
import {
  jsonNumber,
  forInputString,
  illegalArgument,
  OperationError,
  type Json,
} from "@orrery/stdx";

/** A `mapper_parsing_exception`. */
export function mappingFailure(reason: string): OperationError {
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400 });
}

/**
 * Parses a boolean, or its text.
 * @throws OperationError 400 for any other value
 */
export function parseBoolean(value: Json): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw illegalArgument(
    `Failed to parse value [${textOf(value)}] as only [true] or [false] are allowed.`,
  );
}

/** A parsed JSON value as Java's `toString` prints it, for parameters and errors. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "null";
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(textOf).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}=${textOf(item)}`)
      .join(", ")}}`;
  }
  return String(value);
}

/** A boolean parameter with default `fallback`. */
export function flag(fallback: boolean, canUpdate = false): Parameter {
  return { fallback, parse: parseBoolean, canUpdate };
}

/**
 * A boolean parameter whose default depends on an index setting. A value equal to the default is
 * kept, and printed.
 */
export function explicitFlag(fallback: boolean): Parameter {
  return { ...flag(fallback, true), isExplicit: true };
}

/** A text parameter with default `fallback`. */
export function text(fallback: string | null, canUpdate = false): Parameter {
  return { fallback, parse: (value) => textOf(value), canUpdate };
}

/** An integer parameter with default `fallback`. */
export function integer(fallback: number, canUpdate = false): Parameter {
  return { fallback, canUpdate, parse: parseInteger };
}

/**
 * Parses an integer, or its text.
 * @throws OperationError 400 `number_format_exception`
 */
export function parseInteger(value: Json): number {
  const number = jsonNumber(value);
  if (value === null || typeof value === "boolean" || !Number.isInteger(number)) {
    throw new OperationError({
      type: "number_format_exception",
      reason: forInputString(textOf(value)),
      status: 400,
    });
  }
  return number;
}

/** A number parameter with default `fallback`. */
export function decimal(fallback: number | null, canUpdate = false): Parameter {
  return {
    fallback,
    canUpdate,
    parse: (value) => {
      const number = jsonNumber(value);
      if (typeof value !== "boolean" && value !== null && !Number.isNaN(number)) return number;
      throw new OperationError({
        type: "number_format_exception",
        reason: forInputString(textOf(value)),
        status: 400,
      });
    },
  };
}

/** A parameter that must be one of the accepted words. */
export function oneOf(accepted: readonly string[], fallback: string, canUpdate = false): Parameter {
  return {
    fallback,
    canUpdate,
    parse: (value, { field }) => {
      const name = textOf(value);
      if (accepted.includes(name)) return name;
      const list = accepted.join(", ");
      throw mappingFailure(
        `Unknown value [${name}] for field [${field}] - accepted values are [${list}]`,
      );
    },
  };
}

/** A parameter whose value is kept without a check. */
export function anything(fallback: Json, canUpdate = false): Parameter {
  return { fallback, canUpdate, parse: (value) => value };
}

/** A parameter that names an analyzer of the index. */
export function analyzer(canUpdate = false): Parameter {
  return {
    fallback: "default",
    canUpdate,
    parse: (value, { analysis }) => {
      const name = textOf(value);
      if (name === "default" || analysis.hasAnalyzer(name)) return name;
      throw illegalArgument(`analyzer [${name}] has not been configured in mappings`);
    },
  };
}

/** A mapping parameter: `default`, or the name of a normalizer of the index. */
export function normalizer(): Parameter {
  return {
    fallback: "default",
    canUpdate: false,
    parse: (value, { analysis, field }) => {
      const name = textOf(value);
      if (name === "default" || analysis.hasNormalizer(name)) return name;
      throw mappingFailure(`normalizer [${name}] not found for field [${field}]`);
    },
  };
}

/** The parameter `meta`. The product allows at most five short texts; here any value is kept. */
export const meta: Parameter = anything({}, true);
