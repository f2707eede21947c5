/**
 * INV-DATA-4: a document that is asked for by its id is shown as the last write that was acknowledged before the question left it,
 * or as a later one; never as a write that was sent after the answer.
 *
 * Copies may show a write before all of them have it, so that of two reads during a write the later one may show less: a document is
 * a regular register for readers. Around the change of a primary, and where a node may be cut off, a copy may be out of date.
 */
import { isWrite, type History, type Operation } from "../history.ts";
import type { Plan } from "../plan.ts";
import type { World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { mayLoseData } from "./faults-of.ts";
import { indexDeletions } from "./index-deletions.ts";
import { mayCutNodesOff, watchPrimaries, whatIsKnown } from "./new-primaries.ts";
import { isQuiet, type Judged } from "./searches-of-a-run.ts";

export const getsSeeAcknowledgedWrites: Checker = {
  name: "gets-see-acknowledged-writes",
  invariant: "INV-DATA-4",
  says: "A document that is asked for by its id is shown as the last acknowledged write left it, or a later one.",
  excusedBy: ["copies"],
  complaint: (plan) => {
    if (mayCutNodesOff(plan)) return "a node that is cut off or stands still may be out of date";
    if (mayLoseData(plan)) return "the plan takes data away";
    return plan.workload.some(readsDocuments)
      ? undefined
      : "no client reads documents by their ids";
  },
  isAlways: true,
  start: watchPrimaries,
  finish: async (world, plan, history) => judgeGets(history, world, plan),
};

function readsDocuments(clients: Plan["workload"][number]): boolean {
  if (clients.kind === "registers") return true;
  if (clients.kind !== "requests") return false;
  return clients.mix.some(({ request }) => /^GET \/[^_/][^/]*\/_doc\//.test(request));
}

export function judgeGets(
  { operations }: History,
  world: World,
  plan: Plan,
  judged: Judged = whatIsKnown(world, plan),
): Finding {
  const deletions = indexDeletions(world, operations);
  const unsynced = unsyncedIndices(plan);
  const keyOf = ({ node, index = "", document = "" }: Operation): string =>
    `${judged.clusterOf(node)}/${index}/${document}`;
  const writes = new Map<string, Operation[]>();
  for (const operation of operations) {
    if (!isWrite(operation) || operation.outcome === "failed") continue;
    const all = writes.get(keyOf(operation)) ?? [];
    writes.set(keyOf(operation), all);
    all.push(operation);
  }
  for (const get of operations) {
    if (get.kind !== "get" || get.outcome !== "ok" || get.read === undefined) continue;
    const place = `${judged.clusterOf(get.node)}/${get.index ?? ""}`;
    if (unsynced.has(place) || deletions.concern(get)) continue;
    if (!isQuiet(get, get, judged.newPrimaries.get(place) ?? [])) continue;
    const says = wrongRead(get, writes.get(keyOf(get)) ?? []);
    if (says !== undefined)
      return `request ${get.request} of ${get.client} to ${get.node} at ${Math.round(get.invokedMs)} ms: ${get.index}/${get.document} ${says}`;
  }
  return undefined;
}

function wrongRead(get: Operation, writes: readonly Operation[]): Finding {
  const { invokedMs, returnedMs = Infinity, read, seqNo } = get;
  const last = lastBefore(writes, invokedMs);
  if (read === null) {
    if (last === undefined || last.kind === "delete") return undefined;
    const isDeleted = writes.some(
      (one) => one.kind === "delete" && one.invokedMs < returnedMs && isAfter(one, last),
    );
    return isDeleted ? undefined : `was not found, and ${describe(last)} was acknowledged before`;
  }
  if (seqNo === undefined) return undefined;
  const shown = writes.find((one) => one.seqNo === seqNo && one.outcome === "ok");
  if (shown !== undefined && shown.invokedMs >= returnedMs)
    return `was shown as ${describe(shown)}, which was sent later`;
  const { seqNo: least = -1 } = last ?? {};
  if (last === undefined || seqNo > least || (seqNo === least && last.kind !== "delete"))
    return undefined;
  return `was shown with sequence number ${seqNo}, and ${describe(last)} was acknowledged before`;
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
