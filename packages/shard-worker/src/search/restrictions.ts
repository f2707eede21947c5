/**
 * What a request may see of a copy, as plugins say: asked at each use of a view, by who uses it, so that a scroll or a point in time shows
 * nobody what its beginner could see.
 */
import type { RequestContext } from "@orrery/ports";
import { bothRestrictions, restrictedView, type Restriction, type ShardView } from "@orrery/query";
import {
  isJsonObject,
  lookup,
  OperationError,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { checkCancelled } from "./cancelled.ts";
import { givenRestriction, restrictionFault } from "./given-restriction.ts";

/** Of a document that is there and hidden, when it is read by its id. */
export interface CopyRestriction extends Restriction {
  /** Default: as if it were not there. */
  readonly refusal?: Problem;
}

/** What all plugins together restrict. */
export interface SumOfRestrictions extends CopyRestriction {
  /** Names of the plugins that restrict anything. */
  readonly plugins: readonly string[];
}

/** `undefined`: everything. */
export function restrictionOf(
  copy: ShardCopy,
  context: RequestContext,
): SumOfRestrictions | undefined {
  let all: SumOfRestrictions | undefined;
  for (const plugin of copy.worker.plugins) {
    const given = givenRestriction(plugin, copy, context);
    if (given === undefined) continue;
    const refusal = all?.refusal ?? given.refusal;
    const plugins = [...(all?.plugins ?? []), plugin.name];
    all =
      all === undefined
        ? { ...given, plugins }
        : { ...bothRestrictions(all, given), plugins, ...(refusal !== undefined && { refusal }) };
  }
  return all;
}

/** The view as the request may see it. */
export function viewFor(copy: ShardCopy, view: ShardView, context: RequestContext): ShardView {
  const restriction = restrictionOf(copy, context);
  return restriction === undefined ? view : restricted(copy, view, { restriction, context });
}

interface Restricting {
  readonly restriction: SumOfRestrictions;
  readonly context: RequestContext;
}

function restricted(
  copy: ShardCopy,
  view: ShardView,
  { restriction, context }: Restricting,
): ShardView {
  const { cancellation } = context;
  try {
    return restrictedView(view, restriction, {
      nowMs: copy.worker.clock.nowMs(),
      checkCancelled: () => checkCancelled(cancellation),
    });
  } catch (error) {
    throw restrictionFault(copy, restriction.plugins, error);
  }
}

/** The view of a copy as the request may see it, made anew when the copy shows other segments or has another mapping. */
export function createSeenView(
  copy: ShardCopy,
  current: () => ShardView,
  how: Restricting,
): () => ShardView {
  let of: readonly [segments: unknown, mapping: unknown] | undefined;
  let seen: ShardView | undefined;
  return () => {
    const { visible } = engineOf(copy);
    const { mapping } = copy.service;
    if (seen === undefined || of?.[0] !== visible || of[1] !== mapping) {
      seen = restricted(copy, current(), how);
      of = [visible, mapping];
    }
    return seen;
  };
}

/**
 * Parts of a search that read terms of documents which are not live are refused where documents are hidden. Source: `DlsFlsValveImpl`.
 */
export function checkRestricted(copy: ShardCopy, body: JsonObject, context: RequestContext): void {
  if (restrictionOf(copy, context)?.documents === undefined) return;
  if (body["suggest"] !== undefined)
    throw unsupported("suggest is not supported when DLS is activated");
  if (body["profile"] === true || body["profile"] === "true")
    throw unsupported("Profiling is not supported when DLS is activated");
  if (countsNone(body["aggs"]) || countsNone(body["aggregations"]))
    throw unsupported("min_doc_count 0 is not supported when DLS is activated");
}

const OF_TERMS = new Set(["terms", "multi_terms", "significant_terms", "significant_text"]);

/** Buckets of terms that no document has. */
function countsNone(json: Json | undefined): boolean {
  if (!isJsonObject(json)) return false;
  return Object.entries(json).some(([key, value]) => {
    const minDocCount = isJsonObject(value) ? lookup(value, "min_doc_count") : undefined;
    // Numbers are cut to whole ones where it is read.
    const isNone = minDocCount !== undefined && Math.trunc(Number(minDocCount)) === 0;
    return (OF_TERMS.has(key) && isNone) || countsNone(value);
  });
}

export function updateRefused(): OperationError {
  return unsupported("Update is not supported when FLS or DLS or Fieldmasking is activated");
}

function unsupported(reason: string): OperationError {
  return new OperationError({ type: "security_exception", reason, status: 403 });
}
