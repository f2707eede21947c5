/** Parsers for settings of repositories and of their node, with errors in the product's words. */
import {
  byteSizeOf,
  illegalArgument,
  lookup,
  OperationError,
  parseByteSize,
  type Problem,
} from "@orrery/stdx";
import { repositoryProblem } from "./problems.ts";
import type { NodeSettings, Texts } from "./repository-type.ts";

/** A boolean setting; default: false. Throws `illegal_argument_exception`. */
export function readFlag(settings: Texts, key: string): boolean {
  const given = lookup(settings, key) ?? "false";
  if (given === "true" || given === "false") return given === "true";
  throw illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`);
}

/** A byte size setting; default: `fallback`, or 0. Negative sizes become 0. Throws `illegal_argument_exception`, also below `least`. */
export function readBytes(
  settings: Texts,
  key: string,
  { least, fallback = 0 }: { readonly least?: string; readonly fallback?: string | number } = {},
): number {
  const given = lookup(settings, key) ?? String(fallback);
  const parsed = byteSizeOf(key, given);
  if (lookup(settings, key) !== undefined && parsed < (parseByteSize(least ?? "-1") ?? 0)) {
    throw illegalArgument(
      `failed to parse value [${given}] for setting [${key}], must be >= [${least}]`,
    );
  }
  return Math.max(0, parsed);
}

/** A list setting of a node, its elements trimmed, without empty ones; `[]` without a value. */
export function readList(value: NodeSettings[string] | undefined): readonly string[] {
  if (value === undefined) return [];
  const parts = typeof value === "string" ? value.split(",") : value;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The error of settings that a repository type rejects. */
export function creationRefused(name: string, what: string): OperationError {
  const root: Problem = repositoryProblem(name, what);
  const problem = repositoryProblem(name, "failed to create repository", root);
  return new OperationError({ ...problem, rootCauses: [root] });
}
