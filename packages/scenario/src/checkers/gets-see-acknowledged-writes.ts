/**
 * INV-DATA-4: a GET by id returns the last write acknowledged before the request was sent, or a later one; never a
 * write that was sent after the answer, nor one that a later primary has replaced.
 *
 * During a change of the primary, and on a node that lags behind, the bound is an earlier moment (reading-bounds.ts). A
 * GET is no step of a linearizable history, in the product neither: a copy shows a write before all copies have it, and
 * an isolated primary shows writes that will be rolled back, so that of two GETs during a write the later may return
 * the older version. For readers a document is a regular register.
 */
import { isWrite, type History, type Operation } from "../history.ts";
import type { Plan } from "../plan.ts";
import type { World } from "../world.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { mayLoseData } from "./faults-of.ts";
import { indexDeletions } from "./index-deletions.ts";
import { mayCutNodesOff } from "./new-primaries.ts";
import { boundsOf, mustShowUntil, watchBounds, type Bounds } from "./reading-bounds.ts";

export const getsSeeAcknowledgedWrites: Checker = {
  name: "gets-see-acknowledged-writes",
  invariant: "INV-DATA-4",
  says: "A GET by id returns the last write acknowledged under a cluster state that the asked node has applied, or a later one.",
  excusedBy: ["copies"],
  isOfDocuments: true,
  complaint: (plan) => {
    if (mayLoseData(plan)) return "the plan takes data away";
    return plan.workload.some(readsDocuments)
      ? undefined
      : "no client reads documents by their ids";
  },
  isAlways: true,
  start: watchBounds,
  finish: async (world, plan, history) => {
    const bounds = boundsOf(world);
    // Without recorded events a node that was out of date cannot be recognised.
    if (bounds === undefined && mayCutNodesOff(plan)) return undefined;
    return judgeGets(history, world, plan, bounds);
  },
};

function readsDocuments(clients: Plan["workload"][number]): boolean {
  if (clients.kind === "registers") return true;
  if (clients.kind !== "requests") return false;
  return clients.mix.some(({ request }) => /^GET \/[^_/][^/]*\/_doc\//.test(request));
}

/** Judges the GETs of a history; without bounds no node counts as out of date. */
export function judgeGets(
  { operations }: History,
  { clusterOf }: Pick<World, "clusterOf">,
  plan: Plan,
  bounds?: Bounds,
): Finding {
  const deletions = indexDeletions({ clusterOf }, operations);
  const unsynced = unsyncedIndices(plan);
  const keyOf = ({ node, index = "", document = "" }: Operation): string =>
    `${clusterOf(node)}/${index}/${document}`;
  const writes = new Map<string, Operation[]>();
  for (const operation of operations) {
    if (!isWrite(operation) || operation.outcome === "failed") continue;
    const all = writes.get(keyOf(operation)) ?? [];
    writes.set(keyOf(operation), all);
    all.push(operation);
  }
  for (const get of operations) {
    if (get.kind !== "get" || get.outcome !== "ok" || get.read === undefined) continue;
    const { node, index = "", invokedMs, returnedMs = Infinity } = get;
    const cluster = clusterOf(node);
    if (unsynced.msOf(`${cluster}/${index}`) > 0 || deletions.concern(get)) continue;
    const reading = { cluster, index, node, invokedMs, returnedMs };
    const untilMs = bounds === undefined ? invokedMs : mustShowUntil(bounds, reading);
    const says = wrongRead(get, writes.get(keyOf(get)) ?? [], untilMs);
    if (says === undefined) continue;
    const { request, client, document = "" } = get;
    return concerning(
      `request ${request} of ${client} to ${node} at ${Math.round(invokedMs)} ms: ${index}/${document} ${says}`,
      { index, document, node, client, request, operation: "get", sentMs: invokedMs },
    );
  }
  return undefined;
}

function wrongRead(
  get: Operation,
  writes: readonly Operation[],
  untilMs: number,
): string | undefined {
  const { returnedMs = Infinity, read, seqNo, primaryTerm } = get;
  const last = lastBefore(writes, untilMs);
  if (read === null) {
    if (last === undefined || last.kind === "delete") return undefined;
    const isDeleted = writes.some(
      (one) => one.kind === "delete" && one.invokedMs < returnedMs && isAfter(one, last),
    );
    return isDeleted ? undefined : `was not found, and ${describe(last)} was acknowledged before`;
  }
  if (seqNo === undefined) return undefined;
  const shown = writes.find((one) => one.outcome === "ok" && isSamePlace(one, get));
  if (shown !== undefined && shown.invokedMs >= returnedMs)
    return `was shown as ${describe(shown)}, which was sent later`;
  if (last === undefined) return undefined;
  const { seqNo: least = -1, primaryTerm: leastTerm = 0 } = last;
  // A later primary term may assign a sequence number again if the write that had it was lost.
  if (seqNo >= least && primaryTerm !== undefined && primaryTerm < leastTerm)
    return `was shown with sequence number ${seqNo} of primary term ${primaryTerm}, and ${describe(last)} of primary term ${leastTerm} was acknowledged before`;
  if (seqNo > least || (seqNo === least && last.kind !== "delete")) return undefined;
  return `was shown with sequence number ${seqNo}, and ${describe(last)} was acknowledged before`;
}

function isSamePlace(one: Operation, other: Operation): boolean {
  const isTerm =
    one.primaryTerm === undefined ||
    other.primaryTerm === undefined ||
    one.primaryTerm === other.primaryTerm;
  return one.seqNo === other.seqNo && isTerm;
}

function isAfter({ outcome, seqNo = Infinity }: Operation, last: Operation): boolean {
  return outcome !== "ok" || seqNo > (last.seqNo ?? -1);
}

function lastBefore(writes: readonly Operation[], byMs: number): Operation | undefined {
  let last: Operation | undefined;
  for (const one of writes) {
    const { outcome, returnedMs = Infinity, seqNo } = one;
    if (outcome !== "ok" || returnedMs > byMs || seqNo === undefined) continue;
    if (last === undefined || seqNo > (last.seqNo ?? -1)) last = one;
  }
  return last;
}

function describe({ kind, seqNo }: Operation): string {
  return `the ${kind} with sequence number ${seqNo}`;
}
