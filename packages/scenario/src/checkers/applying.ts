/** Choice of the checkers that apply to a plan, and of those that judge it. */
import type { Plan } from "../plan.ts";
import { rowOf } from "../faults/table.ts";
import type { Checker } from "./checker.ts";
import { checkerOf, coreCheckers, type Checkers } from "./compose.ts";
import { unsyncedIndices } from "./durability.ts";
import { faultsOf } from "./faults-of.ts";
import { requestsOf } from "./requests-of.ts";

/**
 * Checkers with something to judge in the plan. Left out are those of documents if the timeline deletes or restores
 * documents, and those that allow no loss if an index acknowledges unsynced operations.
 */
export function applicableCheckers(
  plan: Plan,
  checkers: Checkers = coreCheckers,
): readonly string[] {
  const isUnsynced = unsyncedIndices(plan).isAny;
  const isTaken = removesDocuments(plan);
  const applying = [...checkers.values()].filter(({ excusedBy, isOfDocuments, complaint }) => {
    if ((isTaken && isOfDocuments === true) || (isUnsynced && excusedBy.includes("unsynced")))
      return false;
    return complaint?.(plan) === undefined;
  });
  return applying.map(({ name }) => name);
}

/**
 * Checkers that the plan names, followed by those that judge every plan they apply to, unless the plan's faults excuse
 * their findings.
 */
export function judgesOf(plan: Plan, checkers: Checkers = coreCheckers): readonly Checker[] {
  const named = new Set(plan.checkers);
  const gone = new Set(faultsOf(plan).flatMap((fault) => rowOf(fault).casualties ?? []));
  const others = applicableCheckers(plan, checkers).filter((name) => {
    const { isAlways, excusedBy } = checkerOf(checkers, name);
    const isExcused = excusedBy.some((casualty) => gone.has(casualty));
    return isAlways === true && !named.has(name) && !isExcused;
  });
  return [...plan.checkers, ...others].map((name) => checkerOf(checkers, name));
}

/**
 * True if the timeline deletes or restores documents of clients, so that their loss is intended. Deletions by clients
 * do not count, as the history has their requests. Documents with the same id and different routing values are
 * distinct, but checkers identify documents by id.
 */
function removesDocuments(plan: Plan): boolean {
  return requestsOf(plan).some(
    ({ method, uri, body, isDrawn }) =>
      (!isDrawn && method === "DELETE" && !uri.startsWith("/_")) ||
      /\/_(?:restore|delete_by_query|update_by_query)\b/.test(uri) ||
      /\/_(?:doc|create|update)\b.*[?&]routing=/.test(uri) ||
      JSON.stringify(body ?? null).includes('"remove_index"'),
  );
}
