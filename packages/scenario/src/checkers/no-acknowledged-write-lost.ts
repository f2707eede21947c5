/**
 * INV-DATA-1: once the cluster has healed, a document whose write was acknowledged exists as it was sent, and one whose
 * delete was acknowledged does not. If the last write is uncertain, the document has the effect of one of the possible
 * last writes. Documents whose index a client may have deleted are not judged, nor are those of a closed index.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { isWrite, type Operation } from "../history.ts";
import { reasonOf } from "../reasons.ts";
import type { Plan } from "../plan.ts";
import type { World } from "../world.ts";
import { nothingWritten } from "./nothing-written.ts";
import type { Subject } from "../verdict.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";
import { isClosed, readDocuments, valueOf, type Address } from "./final-reads.ts";
import { shardOfDocument } from "./shard-of-document.ts";
import { indexDeletions } from "./index-deletions.ts";

export const noAcknowledgedWriteLost: Checker = {
  name: "no-acknowledged-write-lost",
  invariant: "INV-DATA-1",
  says: "Once the cluster has healed, a document whose write was acknowledged exists as it was sent, and one whose delete was acknowledged does not.",
  excusedBy: ["copies", "unsynced"],
  isOfDocuments: true,
  complaint: nothingWritten,
  finish: (world, plan, { operations }) => findLost(world, plan, operations),
};

/**
 * Finds an acknowledged write without its effect. `mayBeLost`: true for indices that may lose acknowledged writes,
 * whose missing documents are no finding.
 */
export async function findLost(
  world: World,
  plan: Plan,
  operations: readonly Operation[],
  mayBeLost: (operation: Operation) => boolean = () => false,
): Promise<Finding> {
  const lost: Loss[] = [];
  for (const { name: cluster } of plan.clusters) {
    const fates = [...fatesOf(world, cluster, operations, mayBeLost).values()].filter(isSettled);
    const items = await readDocuments(world, cluster, fates);
    if (typeof items === "string") return items;
    for (const [i, fate] of fates.entries()) {
      if (isClosed(items[i])) continue;
      const { last, others } = fate;
      const now = valueOf(items[i]);
      if ([last, ...others].some((write) => mayBeResultOf(write, now))) continue;
      const says = `${promiseOf(fate)}, and at the end ${storedText(items[i])}`;
      lost.push({ cluster, says, write: last });
    }
  }
  const [first, ...rest] = lost;
  if (first === undefined) return undefined;
  const says = rest.length === 0 ? first.says : `${first.says}; so it is with ${rest.length} more`;
  const subjects: Subject[] = [];
  for (const loss of lost.slice(0, MOST_SUBJECTS)) subjects.push(await subjectOf(world, loss));
  return concerning(says, subjects);
}

interface Loss {
  readonly cluster: string;
  readonly says: string;
  /** Acknowledged write whose effect is missing. */
  readonly write: Operation;
}

/** Lost writes that a finding names; the others are counted. */
const MOST_SUBJECTS = 20;

async function subjectOf(world: World, { cluster, write }: Loss): Promise<Subject> {
  const { kind, index = "", document = "", node, client, request, invokedMs, returnedMs } = write;
  const shard = await shardOfDocument(world, cluster, { index, document });
  return {
    ...{ index, document, node, client, request, operation: kind, sentMs: invokedMs },
    ...(shard === undefined ? {} : { shard }),
    ...(returnedMs === undefined ? {} : { answeredMs: returnedMs }),
    ...(write.seqNo === undefined ? {} : { seqNo: write.seqNo }),
  };
}

/** Acknowledgement in words: the operation, its time and its client. */
function promiseOf({ last, index, document }: SettledFate): string {
  const { kind, client, node, returnedMs, seqNo, wrote } = last;
  const what = kind === "delete" ? "its deletion" : "its write";
  const value = kind === "delete" ? "" : ` of ${valueText(wrote)}`;
  const when = returnedMs === undefined ? "" : ` at ${Math.round(returnedMs)} ms`;
  const number = seqNo === undefined ? "" : `, sequence number ${seqNo}`;
  return `the document [${document}] of [${index}]: ${what}${value} was acknowledged to ${client} by ${node}${when}${number}`;
}

function storedText(item: Json | undefined): string {
  if (isJsonObject(item) && item["error"] !== undefined)
    return `it cannot be read: ${reasonOf(item)}`;
  if (isJsonObject(item) && item["found"] === false) return "it is not there";
  const value = valueOf(item);
  return value === undefined
    ? `it is ${JSON.stringify(item)}`
    : `it is there with ${valueText(value)}`;
}

const LONGEST = 200;

function valueText(value: Json | undefined): string {
  if (value === undefined) return "no value";
  const text = JSON.stringify(value);
  return `the value ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
}

/** Possible states of a document at the end. */
interface Fate extends Address {
  /** Acknowledged write with the highest sequence number. */
  readonly last: Operation | undefined;
  /** Writes of unknown outcome, and those whose index may have been deleted afterwards. */
  readonly others: Operation[];
}

function fatesOf(
  world: World,
  cluster: string,
  operations: readonly Operation[],
  mayBeLost: (operation: Operation) => boolean,
): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  const deletions = indexDeletions(world, operations);
  for (const operation of operations) {
    const { index, document, node, outcome } = operation;
    if (!isWrite(operation) || index === undefined || document === undefined) continue;
    if (outcome === "failed" || world.clusterOf(node) !== cluster) continue;
    // A no-op without a sequence number reports an existing version, possibly of its own first attempt.
    if (operation.isNoop === true && operation.seqNo === undefined) continue;
    const key = `${index}/${document}`;
    const fate: Fate = fates.get(key) ?? { index, document, last: undefined, others: [] };
    const { last, others } = fate;
    const isSure = outcome === "ok" && !deletions.mayHaveTaken(operation) && !mayBeLost(operation);
    if (!isSure) others.push(operation);
    const isNewer = isSure && (last === undefined || (operation.seqNo ?? 0) >= (last.seqNo ?? -1));
    fates.set(key, isNewer ? { ...fate, last: operation } : fate);
  }
  return fates;
}

type SettledFate = Fate & { readonly last: Operation };

function isSettled(fate: Fate): fate is SettledFate {
  return fate.last !== undefined;
}

/**
 * True if the write can have left the document in this state. The result of an update or a script is not recorded, so
 * it matches any state.
 */
function mayBeResultOf({ kind, wrote }: Operation, now: Json | undefined): boolean {
  if (kind === "delete" || now === undefined) return kind === "delete" && now === undefined;
  return wrote === undefined || JSON.stringify(wrote) === JSON.stringify(now);
}
