/**
 * `orrery node inspect` and `orrery node repair`: shows the stored cluster metadata of a stopped node, and repairs it.
 */
import { join } from "node:path";
import { describeStored, skippedValues, type StoredPart } from "@orrery/cluster-manager";
import { nodeIdName, nodeNameName } from "@orrery/ports";
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { openStoreRepair, type StoreRepair } from "@orrery/storage";
import { readPlan, readPlanOfAny, writePlan, type KeptPlan } from "./data-folder.ts";
import type { ParsedOptions } from "./options.ts";
import { UsageError } from "./usage.ts";

export function inspectNode(name: string, options: ParsedOptions): number {
  return withStore(name, options, ({ left }) => {
    const part = describeStored(left);
    const lines = [...linesOf(name, part), ...left.repairs];
    print(options, { event: "node", name, ...part }, lines.join("\n"));
  });
}

export function repairNode(name: string, options: ParsedOptions): number {
  const skipped = options.text("skip-entry");
  const ways: readonly (readonly [boolean, (store: StoreRepair, kept: KeptPlan) => string])[] = [
    [skipped !== undefined, (store) => skipEntry(name, store, Number(skipped))],
    [options.flag("rejoin"), (store) => rejoin(name, store)],
    [options.flag("accept-data-loss"), (store) => acceptLoss(name, store)],
    [options.flag("rename"), (store, kept) => rename(name, store, kept)],
  ];
  const [way, ...others] = ways.filter(([isAsked]) => isAsked);
  if (way === undefined || others.length > 0) {
    throw new UsageError(
      "expected one of [--rejoin], [--skip-entry INDEX], [--accept-data-loss], [--rename]",
    );
  }
  return withStore(name, options, (store, kept) => {
    const done = way[1](store, kept);
    print(options, { event: "repaired", name, done }, done);
  });
}

function withStore(
  name: string,
  options: ParsedOptions,
  act: (store: StoreRepair, kept: KeptPlan) => void,
): number {
  const data = options.text("data");
  if (data === undefined)
    throw new UsageError("[--data DIR] is missing: where does the node live?");
  const read = options.flag("rename") ? readPlanOfAny : readPlan;
  const kept = read(data, name);
  const { plan, path } = kept;
  if (plan.transport === "memory")
    throw new UsageError(`[${name}] is of a cluster in one process: it keeps nothing in files`);
  const store = openStoreRepair(join(path, "node.sqlite"));
  try {
    act(store, kept);
  } finally {
    store.close();
  }
  return 0;
}

function print(options: ParsedOptions, event: object, text: string): void {
  process.stdout.write(`${options.flag("json") ? JSON.stringify(event) : text}\n`);
}

function linesOf(name: string, part: StoredPart): readonly string[] {
  const { nodeId = "unknown", raftId, voters, term, vote } = part;
  const { committedIndex, snapshotIndex, firstIndex, lastIndex, loss, quarantine, skipped } = part;
  const log = lastIndex === 0 ? "no entries" : `entries ${firstIndex} to ${lastIndex}`;
  return [
    `${name}  node id ${nodeId}, Raft member ${raftId === 0 ? "none" : raftId}`,
    `log     ${log}, snapshot at ${snapshotIndex}, committed up to ${committedIndex}`,
    `voters  ${voters.length === 0 ? "unknown" : `members ${voters.join(", ")}`}`,
    `vote    term ${term}, ${vote === 0 ? "for nobody" : `for member ${vote}`}`,
    `state   ${loss === undefined ? "whole" : `lost: ${loss}`}`,
    ...(quarantine === undefined
      ? []
      : [
          `stopped at entry ${quarantine.index} of term ${quarantine.term} [${quarantine.tasks.join(", ")}]: ${quarantine.reason}`,
        ]),
    ...skipped.map(({ index, term: of }) => `passes over entry ${index} of term ${of}`),
  ];
}

function skipEntry(name: string, store: StoreRepair, index: number): string {
  const { quarantine, loss } = describeStored(store.left);
  if (loss !== undefined) throw new UsageError(`[${name}] lost some of its log: ${loss}`);
  if (quarantine === undefined) throw new UsageError(`[${name}] did not stop at any entry`);
  if (quarantine.index !== index) {
    throw new UsageError(`[${name}] stopped at entry [${quarantine.index}], not at [${index}]`);
  }
  store.set(skippedValues(store.left, quarantine));
  return `${name} passes over entry ${index} when it starts; every other node must pass over it, too: an elected cluster manager lets no node in that differs from it`;
}

function rejoin(name: string, store: StoreRepair): string {
  const kept = [nodeIdName, nodeNameName].flatMap((key) => {
    const value = store.left.values.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  store.giveUp(new Map(kept));
  return `${name} has given up its part of the cluster state; it waits for an elected cluster manager to let it hold the state anew, and does not vote before`;
}

/** Renames plan and store of a folder that was moved or copied. */
function rename(name: string, store: StoreRepair, { plan, path }: KeptPlan): string {
  const stored = store.left.values.get(nodeNameName);
  const owner = stored === undefined ? undefined : utf8Decode(stored);
  if (owner === name && plan.name === name)
    throw new UsageError(`the folder is of [${name}] already`);
  const { loss } = store.left;
  if (loss !== undefined) throw new UsageError(`[${name}] lost some of its log: ${loss}`);
  writePlan(path, { ...plan, name });
  store.set(new Map([[nodeNameName, utf8Encode(name)]]));
  const earlier = [owner, plan.name].find((each) => each !== undefined && each !== name);
  return `the folder is now of ${name}; ${earlier ?? "a node of another name"} must never start again from a copy of it: there would be two nodes with one id`;
}

function acceptLoss(name: string, store: StoreRepair): string {
  const { loss } = store.left;
  if (loss === undefined) throw new UsageError(`[${name}] lost nothing`);
  if (!store.isUsable) {
    throw new UsageError(`nothing is left that [${name}] could go on with: ${loss}`);
  }
  const { lastIndex } = describeStored(store.left);
  store.acceptLoss();
  return `${name} goes on with what is left, up to entry ${lastIndex}; what was acknowledged after it is lost unless another node has it`;
}
