/**
 * Restrictions of plugins on what a request sees of a copy. They are asked for at each use of a view, for the request
 * that uses it: a scroll or a point in time shows a request no document that only its opener may see.
 */
import { inTurns, type RequestContext } from "@orrery/ports";
import {
  bothRestrictions,
  restrictedViewSteps,
  withBudget,
  type Budget,
  type Restriction,
  type ShardView,
} from "@orrery/query";
import {
  isJsonObject,
  lookup,
  OperationError,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import type { EngineState } from "../engine/types.ts";
import { checkCancelled } from "./cancelled.ts";
import { givenRestriction, restrictionFault } from "./given-restriction.ts";

/** A restriction by one plugin. */
export interface CopyRestriction extends Restriction {
  /** The problem of a get of a hidden document; absent: the document is not found. */
  readonly refusal?: Problem;
}

/** The restrictions of all plugins, combined: a document or field is visible only if no plugin hides it. */
export interface SumOfRestrictions extends CopyRestriction {
  /** Names of the plugins that restrict anything. */
  readonly plugins: readonly string[];
}

/** The combined restriction of a request on a copy; `undefined`: no plugin restricts the request. */
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

/**
 * The view as the request may see it: at once without restrictions, or when the admitted documents are known;
 * otherwise computed in turns.
 */
export function viewFor(
  copy: ShardCopy,
  view: ShardView,
  context: RequestContext,
): ShardView | Promise<ShardView> {
  const restriction = restrictionOf(copy, context);
  if (restriction === undefined) return view;
  return inTurns(copy.worker.clock, (isTurnOver) =>
    withBudget(copy.worker.memory, (budget) =>
      restrictedSteps(copy, view, { restriction, context, budget, isTurnOver }),
    ),
  );
}

interface Restricting {
  readonly restriction: SumOfRestrictions;
  readonly context: RequestContext;
  readonly budget: Budget;
  readonly isTurnOver: () => boolean;
}

function* restrictedSteps(
  copy: ShardCopy,
  view: ShardView,
  { restriction, context, budget, isTurnOver }: Restricting,
): Generator<undefined, ShardView> {
  const { cancellation } = context;
  try {
    return yield* restrictedViewSteps(view, restriction, {
      nowMs: copy.worker.clock.nowMs(),
      budget,
      isTurnOver,
      checkCancelled: () => checkCancelled(cancellation),
    });
  } catch (error) {
    throw restrictionFault(copy, restriction.plugins, error);
  }
}

/** The view of one request that reads several documents, computed once for them. */
export class SeenView {
  private readonly copy: ShardCopy;
  private readonly how: Restricting;
  private known: { readonly of: EngineState["visible"]; readonly view: ShardView } | undefined;
  private mapping: ShardView["mapping"] | undefined;

  constructor(copy: ShardCopy, how: Restricting) {
    this.copy = copy;
    this.how = how;
  }

  /**
   * The view of the copy's current segments and mapping, computed again when they are others. A view that became old
   * while it was computed is not returned.
   */
  *current(view: (copy: ShardCopy) => ShardView): Generator<undefined, ShardView> {
    const { copy, how } = this;
    for (;;) {
      const { visible } = engineOf(copy);
      const { mapping } = copy.service;
      if (this.known?.of === visible && this.mapping === mapping) return this.known.view;
      this.mapping = mapping;
      this.known = { of: visible, view: yield* restrictedSteps(copy, view(copy), how) };
    }
  }
}

/**
 * Checks a search on a copy where documents are hidden. Parts that read the terms of documents that are not live are
 * refused: suggestions, profiles, and aggregations with `min_doc_count: 0` (`DlsFlsValveImpl`).
 * @throws OperationError The search has such a part.
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

/** Whether an aggregation asks for buckets of terms without documents. */
function countsNone(json: Json | undefined): boolean {
  if (!isJsonObject(json)) return false;
  return Object.entries(json).some(([key, value]) => {
    const minDocCount = isJsonObject(value) ? lookup(value, "min_doc_count") : undefined;
    // The aggregation truncates the number as well.
    const isNone = minDocCount !== undefined && Math.trunc(Number(minDocCount)) === 0;
    return (OF_TERMS.has(key) && isNone) || countsNone(value);
  });
}

/** The error of an update by a request that is restricted. */
export function updateRefused(): OperationError {
  return unsupported("Update is not supported when FLS or DLS or Fieldmasking is activated");
}

function unsupported(reason: string): OperationError {
  return new OperationError({ type: "security_exception", reason, status: 403 });
}
