/**
 * The rules of a mapping for parsing documents, and the mark of errors that are not wrapped again.
 */
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { DateFormat } from "../dates/format.ts";
import type { ObjectNode } from "./compile.ts";
import type { DynamicTemplate } from "./dynamic-templates.ts";
import type { CompiledField } from "../language/field-type.ts";

/** The parts of a mapping that parsing reads. */
export interface DocumentRules {
  readonly root: ObjectNode;
  readonly fields: ReadonlyMap<string, CompiledField>;
  readonly templates: readonly DynamicTemplate[];
  readonly dateFormats: readonly DateFormat[];
  readonly dateDetection: boolean;
  readonly numericDetection: boolean;
  readonly isSourceEnabled: boolean;
  readonly sourceIncludes: readonly string[];
  readonly sourceExcludes: readonly string[];
  /** Deepest nesting of objects, and of arrays. */
  readonly depthLimit: number;
  /** Most nested objects of a document. */
  readonly nestedLimit: number;
  /** Field of which each document has exactly one value; `undefined`: none. */
  readonly timestampField: string | undefined;
}

/**
 * Checks the nesting while a document is read, because it may be deeper than any recursion over it
 * allows.
 * @throws OperationError 400
 */
export function checkDepth({ depthLimit }: DocumentRules, depth: number, what: string): void {
  if (depth <= depthLimit) return;
  throw new OperationError({
    type: "parse_exception",
    reason: `The depth of the ${what} has exceeded the allowed limit of [${depthLimit}]. This limit can be set by changing the [index.mapping.depth.limit] index level setting.`,
    status: 400,
  });
}

/**
 * Parts of a dotted name: as deep as JSON may be nested. The limits of the index are checked later,
 * and may be set higher.
 */
const MOST_PARTS = 1000;

/**
 * Checks a dotted name before objects are made of its parts.
 * @throws OperationError 400
 */
export function checkParts(parts: readonly string[]): void {
  if (parts.length <= MOST_PARTS) return;
  const start = parts.slice(0, 10).join(".");
  throw illegalArgument(
    `field name [${start.slice(0, 100)}...] has [${parts.length}] parts, more than the limit of [${MOST_PARTS}]`,
  );
}

/** Errors that are reported as they are. */
const finals = new WeakSet<OperationError>();

/** Marks an error as final: parsers around it rethrow it unchanged. */
export function final(error: OperationError): OperationError {
  finals.add(error);
  return error;
}

/** True if `final` marked the error. */
export function isMarkedFinal(error: OperationError): boolean {
  return finals.has(error);
}
