/** Which checkers apply to a plan, and which judge it. */
import type { Plan } from "../plan.ts";
import { rowOf } from "../faults/table.ts";
import type { CheckerName } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { faultsOf } from "./faults-of.ts";
import { requestsOf } from "./requests-of.ts";
import { checkers } from "./table.ts";

const checkerNames = Object.keys(checkers) as readonly CheckerName[];

/**
 * All that find something to judge in the plan, but those of documents where its timeline deletes or restores some, and those that
 * allow no loss where an index acknowledges what it has not synced.
 */
export function applicableCheckers(plan: Plan): readonly CheckerName[] {
  const isUnsynced = unsyncedIndices(plan).isAny;
  const isTaken = takesDocumentsAway(plan);
  return checkerNames.filter((name) => {
    const { excusedBy, complaint } = checkers[name];
    if ((isTaken && ofDocuments.has(name)) || (isUnsynced && excusedBy.includes("unsynced")))
      return false;
    return complaint?.(plan) === undefined;
  });
}

/** Checkers that the plan names, then those that judge every plan they apply to, unless its faults excuse what they find. */
export function judgesOf(plan: Plan): readonly CheckerName[] {
  const named = new Set(plan.checkers);
  const gone = new Set(faultsOf(plan).flatMap((fault) => rowOf(fault).casualties ?? []));
  const others = applicableCheckers(plan).filter((name) => {
    const { isAlways, excusedBy } = checkers[name];
    const isExcused = excusedBy.some((casualty) => gone.has(casualty));
    return isAlways === true && !named.has(name) && !isExcused;
  });
  return [...plan.checkers, ...others];
}

/** Checkers that hold the cluster to what clients wrote. */
const ofDocuments: ReadonlySet<CheckerName> = new Set<CheckerName>([
  ...(["no-acknowledged-write-lost", "compare-and-set-is-linearizable"] as const),
  ...(["searches-see-refreshed-documents", "snapshot-content-equals-index"] as const),
  ...(["gets-see-acknowledged-writes", "unsynced-writes-are-recent"] as const),
  "documents-exist-once",
]);

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
