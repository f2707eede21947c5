/**
 * Simulated NodeStore: transactions in order, durable a little later; a crash keeps a drawn prefix of those that are
 * not durable.
 *
 * Rot shows at the next start, as with files: the store reports a loss (INV-STORE-2), or the flipped bits were
 * harmless.
 */
import {
  DiskError,
  type NodeStore,
  type StoreBatch,
  type StoredEntry,
  type StoredNode,
  type StoreRule,
} from "@orrery/ports";
import { assert, type Random } from "@orrery/stdx";

export interface StoreModel {
  store(alive: () => boolean): NodeStore;
  /** Power loss. `lost`: no transaction that is not durable survives. */
  crash(unsynced: "drawn" | "lost"): void;
  /** Number of entries in the Raft log. */
  entries(): number;
  /** Removes all contents. */
  wipe(): void;
  /** Applies the rule until its `end` is called; `store-rot` acts once, at the next start. */
  applyRule(rule: StoreRule): { hits(): number; end(): void };
}

export function createStoreModel(
  random: Random,
  later: (action: () => void, moreMs: number) => void,
): StoreModel {
  const applied = new Set<{ readonly rule: LastingRule; hits: number }>();
  let rot: Rot | undefined;
  let durable = emptyNode;
  let pending: StoreBatch[] = [];

  /** Makes durable all transactions up to and including `last`. */
  const commit = (last: StoreBatch | undefined): void => {
    const end = last === undefined ? 0 : pending.indexOf(last) + 1;
    durable = pending.slice(0, end).reduce(withBatch, durable);
    pending = pending.slice(end);
  };

  /** Applies pending rot to the contents, as the next start finds them. */
  const showRot = (): void => {
    if (rot !== undefined && rot !== "harmless") {
      const values = rot === "unreadable" ? emptyNode.values : durable.values;
      durable = { ...emptyNode, values, loss: `bits of the store turned: ${rot}` };
    }
    rot = undefined;
  };

  const store = (alive: () => boolean): NodeStore => {
    showRot();
    return {
      load: () => pending.reduce(withBatch, durable),
      write: (given) => {
        const { loss } = pending.reduce(withBatch, durable);
        if (loss !== undefined && given.startOver !== true) {
          return Promise.reject(new DiskError("io", "store", loss));
        }
        const failing = [...applied].find(({ rule }) => rule.kind === "store-fails");
        if (failing !== undefined) {
          failing.hits += 1;
          return Promise.reject(
            new DiskError("io", "store", "Input/output error, syncing [store]"),
          );
        }
        const batch = ownBatch(given);
        if (alive()) pending.push(batch);
        let moreMs = 0;
        for (const one of applied) {
          if (one.rule.kind !== "store-slow") continue;
          one.hits += 1;
          moreMs += one.rule.delayMs;
        }
        return new Promise((resolve) => {
          later(() => {
            // After an orderly stop the machine completes pending writes; a crash has discarded them already.
            commit(batch);
            if (alive()) resolve();
          }, moreMs);
        });
      },
      close: () => undefined,
    };
  };

  return {
    store,
    crash: (unsynced) => {
      const kept = random.int(0, pending.length);
      commit(pending[(unsynced === "lost" ? 0 : kept) - 1]);
      pending = [];
    },
    entries: () => pending.reduce(withBatch, durable).entries.length,
    wipe: () => {
      durable = emptyNode;
      pending = [];
      rot = undefined;
    },
    applyRule: (rule) => {
      if (rule.kind === "store-rot") {
        rot = random.pick(rots);
        return { hits: () => 1, end: () => undefined };
      }
      const own = { rule, hits: 0 };
      applied.add(own);
      return { hits: () => own.hits, end: () => void applied.delete(own) };
    },
  };
}

/** Rules with a duration; rot acts once. */
type LastingRule = Exclude<StoreRule, { readonly kind: "store-rot" }>;

/** Place of the flipped bits, which determines what the next start detects. */
const rots = ["harmless", "tail", "marker", "unreadable"] as const;
type Rot = (typeof rots)[number];

const emptyNode: StoredNode = {
  hardState: undefined,
  snapshot: undefined,
  entries: [],
  values: new Map(),
  loss: undefined,
  repairs: [],
};

/** Copy of a batch: the writer may reuse its buffers. */
function ownBatch(batch: StoreBatch): StoreBatch {
  const { hardState, snapshot, entries, values } = batch;
  return {
    ...batch,
    ...(hardState && { hardState: hardState.slice() }),
    ...(snapshot && { snapshot: snapshot.slice() }),
    ...(entries && { entries: entries.map((entry) => ({ ...entry, bytes: entry.bytes.slice() })) }),
    ...(values && { values: new Map([...values].map(([key, value]) => [key, value?.slice()])) }),
  };
}

function withBatch(given: StoredNode, batch: StoreBatch): StoredNode {
  const stored = batch.startOver === true ? emptyNode : given;
  let entries: readonly StoredEntry[] = batch.clearEntries === true ? [] : stored.entries;
  const [first] = batch.entries ?? [];
  if (batch.entries && first) {
    const end = entries.findLastIndex(({ index }) => index < first.index) + 1;
    const before = entries[end - 1]?.index ?? first.index - 1;
    assert(before + 1 === first.index, `entries ${before} and ${first.index} leave a gap`);
    entries = [...entries.slice(0, end), ...batch.entries];
  }
  const { compactTo } = batch;
  if (compactTo !== undefined) entries = entries.filter(({ index }) => index > compactTo);
  const values = new Map(stored.values);
  for (const [key, value] of batch.values ?? []) {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
  }
  return {
    hardState: batch.hardState ?? stored.hardState,
    snapshot: batch.snapshot ?? stored.snapshot,
    entries,
    values,
    loss: stored.loss,
    repairs: [],
  };
}
