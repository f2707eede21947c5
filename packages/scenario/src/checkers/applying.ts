/** Which checkers apply to a plan, and which judge it. */
import type { Plan } from "../plan.ts";
import { rowOf } from "../faults/table.ts";
import type { Checker } from "./checker.ts";
import { checkerOf, coreCheckers, type Checkers } from "./compose.ts";
import { unsyncedIndices } from "./durability.ts";
import { faultsOf } from "./faults-of.ts";
import { requestsOf } from "./requests-of.ts";

/**
 * All that find something to judge in the plan, but those of documents where its timeline deletes or restores some, and those that
 * allow no loss where an index acknowledges what it has not synced.
 */
export function applicableCheckers(
  plan: Plan,
  checkers: Checkers = coreCheckers,
): readonly string[] {
  const isUnsynced = unsyncedIndices(plan).isAny;
  const isTaken = takesDocumentsAway(plan);
  const applying = [...checkers.values()].filter(({ excusedBy, isOfDocuments, complaint }) => {
    if ((isTaken && isOfDocuments === true) || (isUnsynced && excusedBy.includes("unsynced")))
      return false;
    return complaint?.(plan) === undefined;
  });
  return applying.map(({ name }) => name);
}

/** Checkers that the plan names, then those that judge every plan they apply to, unless its faults excuse what they find. */
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
 * A script that deletes or restores what clients write asks for the loss. What clients delete by themselves is known from their
 * requests. Documents of one id and several routings are several, and the judges tell documents by their ids.
 */
function takesDocumentsAway(plan: Plan): boolean {
  return requestsOf(plan).some(
    ({ method, uri, body, isDrawn }) =>
      (!isDrawn && method === "DELETE" && !uri.startsWith("/_")) ||
      /\/_(?:restore|delete_by_query|update_by_query)\b/.test(uri) ||
      /\/_(?:doc|create|update)\b.*[?&]routing=/.test(uri) ||
      JSON.stringify(body ?? null).includes('"remove_index"'),
  );
}
