/**
 * The restriction that one plugin returns for one request, verified where it enters. A malformed restriction is a
 * fault of the plugin, and hides the whole copy.
 *
 * A fault of a plugin fails the request that met it and nothing else. The log has it in full; the client learns the
 * plugin's name alone, since an error text may quote the query of the restriction.
 */
import type { RequestContext } from "@orrery/ports";
import { isRestricting } from "@orrery/query";
import { OperationError, stackOf } from "@orrery/stdx";
import { isOfStore } from "../blame.ts";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";
import type { ShardPlugin } from "../plugin.ts";
import type { CopyRestriction } from "./restrictions.ts";

/** Nesting of a restriction's query; the parser of queries has limits of its own. */
const MAX_DEPTH = 1000;

/**
 * Asks a plugin for its restriction of a request, and verifies the result; `undefined`: the plugin restricts nothing.
 * @throws OperationError The error that `restrict` throws; with status 500 for any other error, and for a malformed
 *   result.
 */
export function givenRestriction(
  { name, restrict }: ShardPlugin,
  copy: ShardCopy,
  context: RequestContext,
): CopyRestriction | undefined {
  if (restrict === undefined) return undefined;
  let given: CopyRestriction | undefined;
  try {
    given = restrict(copy, context);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw pluginFault(copy, [name], error);
  }
  if (given === undefined) return undefined;
  const fault = faultOf(copy, given);
  if (fault !== undefined) throw pluginFault(copy, [name], new TypeError(`restrict ${fault}`));
  return isRestricting(given) ? given : undefined;
}

/**
 * The error of a request whose restriction could not be applied. Cancellation, memory limits and faults of the store
 * are not the plugin's.
 */
export function restrictionFault(
  copy: ShardCopy,
  plugins: readonly string[],
  error: unknown,
): unknown {
  if (isOfStore(error)) return error;
  if (error instanceof OperationError) {
    const { type, status } = error.problem;
    if (status === 429 || type === "task_cancelled_exception") return error;
  }
  return pluginFault(copy, plugins, error);
}

function pluginFault(copy: ShardCopy, plugins: readonly string[], error: unknown): OperationError {
  const whose = `plugin [${plugins.join(", ")}]`;
  copy.worker.tellUnforeseen(
    `${shardName(copy)} the restriction of ${whose} failed: ${stackOf(error)}`,
  );
  const reason = `unexpected failure of ${whose}, the log of the node tells more`;
  return new OperationError({ type: "exception", reason, status: 500 });
}

/** The defect of a returned value; `undefined`: it is a restriction. */
function faultOf(copy: ShardCopy, given: unknown): string | undefined {
  if (given instanceof Promise) {
    // An unhandled rejection would end the process.
    given.catch((error: unknown) => {
      copy.worker.tellUnforeseen(`${shardName(copy)} restrict rejected: ${stackOf(error)}`);
    });
  }
  if (!isRecord(given)) return "gave no object";
  if ("then" in given) return "gave a promise: it is synchronous";
  const { documents, hiddenFields, refusal } = given;
  if (documents !== undefined && !(isRecord(documents) && isJson(documents, 0)))
    return "gave [documents] that are no JSON object";
  if (hasLookup(documents)) return "gave [documents] with a lookup of terms in another document";
  if (hiddenFields !== undefined && !isNames(hiddenFields))
    return "gave [hiddenFields] that are no list of names";
  if (refusal !== undefined && !isProblem(refusal)) return "gave a [refusal] that is no problem";
  return undefined;
}

/** `undefined` is refused: a parser reads it as `null`, and a filter of null filters nothing. */
function isJson(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  if (isRecord(value)) return Object.values(value).every((member) => isJson(member, depth + 1));
  return value === null || ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/**
 * Coordinating nodes replace terms lookups by terms; on a shard a lookup finds none, and a `must_not` of it would
 * hide nothing.
 */
function hasLookup(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLookup);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      hasLookup(member) ||
      (key === "terms" && isRecord(member) && Object.values(member).some(isLookup)),
  );
}

function isLookup(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, "index") && Object.hasOwn(value, "path");
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

function isProblem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, reason, status } = value;
  const isReason = typeof reason === "string" || reason === null;
  return typeof type === "string" && isReason && typeof status === "number";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
