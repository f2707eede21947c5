/** What a mapping tells the parsing of documents, and which of its errors stand as they are. */
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { DateFormat } from "../dates/format.ts";
import type { ObjectNode } from "./compile.ts";
import type { DynamicTemplate } from "./dynamic-templates.ts";
import type { CompiledField } from "../language/field-type.ts";

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
  /** Of objects in each other, and of lists in each other. */
  readonly depthLimit: number;
  readonly nestedLimit: number;
  /** Each document has exactly one value of this field. */
  readonly timestampField: string | undefined;
}

/** Checked while a document is read: what it would introduce may be deeper than anything that recurses. */
export function checkDepth({ depthLimit }: DocumentRules, depth: number, what: string): void {
  if (depth <= depthLimit) return;
  throw new OperationError({
    type: "parse_exception",
    reason: `The depth of the ${what} has exceeded the allowed limit of [${depthLimit}]. This limit can be set by changing the [index.mapping.depth.limit] index level setting.`,
    status: 400,
  });
}

/** As many objects as may lie in each other in JSON; the limits of an index come later, and may be set higher. */
const MOST_PARTS = 1000;

/** Checked before objects are made of a dotted name. */
export function checkParts(parts: readonly string[]): void {
  if (parts.length <= MOST_PARTS) return;
  const start = parts.slice(0, 10).join(".");
  throw illegalArgument(
    `field name [${start.slice(0, 100)}...] has [${parts.length}] parts, more than the limit of [${MOST_PARTS}]`,
  );
}

const finals = new WeakSet<OperationError>();

/** Marks an error that is not wrapped once more on its way out. */
export function final(error: OperationError): OperationError {
  finals.add(error);
  return error;
}

export function isMarkedFinal(error: OperationError): boolean {
  return finals.has(error);
}
