/**
 * Evidence of a run: when nodes went down and came back, which faults lasted, which nodes held copies of a shard, and
 * when translogs were synced. Fed with events and cluster states in order.
 */
import type { ObservedState, RecordedEvent } from "../types.ts";

/** Time during which a node was down. */
export interface Outage {
  readonly node: string;
  readonly fromMs: number;
  /** Time of the next start; `undefined` if the node did not start again. */
  toMs: number | undefined;
  readonly how: "crashed" | "stopped";
}

export interface LastingFault {
  readonly kind: string;
  readonly description: string;
  readonly fromMs: number;
  toMs: number | undefined;
}

/** Copy of a shard that became its primary. */
export interface Promotion {
  readonly shard: string;
  readonly node: string;
  readonly atMs: number;
}

export interface Holder {
  readonly node: string;
  readonly isPrimary: boolean;
}

export interface Evidence {
  event(event: RecordedEvent): void;
  state(atMs: number, state: ObservedState): void;
  readonly outages: readonly Outage[];
  readonly faults: readonly LastingFault[];
  readonly promotions: readonly Promotion[];
  /** Nodes with an active copy of the shard (`index/number`) at that time. */
  holdersAt(shard: string, atMs: number): readonly Holder[];
  /**
   * Time of the last sync of the shard's translog on the node before that time; `undefined` if there was none, or syncs
   * are not observed.
   */
  lastSync(node: string, shard: string, beforeMs: number): number | undefined;
  /** True if syncs are observed. */
  readonly hasSyncs: boolean;
}

interface Table {
  readonly atMs: number;
  readonly cluster: string;
  readonly holders: ReadonlyMap<string, readonly Holder[]>;
}

const TRANSLOG = /^indices\/([^/]+)\/(\d+)\/translog\//;

export function createEvidence(): Evidence {
  const { outages, faults, follow } = followDisruptions();
  const copies = followCopies();
  const syncs = followSyncs();
  return {
    ...{ outages, faults, promotions: copies.promotions, holdersAt: copies.holdersAt },
    get hasSyncs() {
      return syncs.isSeen();
    },
    event: (event) => {
      follow(event);
      copies.follow(event);
      syncs.follow(event);
    },
    state: copies.state,
    lastSync: (node, shard, beforeMs) => {
      const at = shard.lastIndexOf("/");
      const uuid = copies.uuidOf(shard.slice(0, at));
      return syncs.last(`${node} ${uuid}/${shard.slice(at + 1)}`, beforeMs);
    },
  };
}

/** Outages and faults with their ends. */
function followDisruptions() {
  const outages: Outage[] = [];
  const faults: LastingFault[] = [];
  const follow = (event: RecordedEvent): void => {
    const { node, at_ms: atMs } = event;
    switch (event.kind) {
      case "node-crashed":
      case "node-stopped": {
        const how = event.kind === "node-crashed" ? "crashed" : "stopped";
        outages.push({ node, fromMs: atMs, toMs: undefined, how });
        return;
      }
      case "node-started": {
        const open = outages.findLast((one) => one.node === node && one.toMs === undefined);
        if (open !== undefined) open.toMs = atMs;
        return;
      }
      case "fault-started": {
        const { fault: kind, description } = event;
        faults.push({ kind, description, fromMs: atMs, toMs: undefined });
        return;
      }
      case "fault-ended": {
        const { fault: kind, description } = event;
        const open = faults.find(
          (one) => one.toMs === undefined && one.kind === kind && one.description === description,
        );
        if (open !== undefined) open.toMs = atMs;
        return;
      }
      default:
    }
  };
  return { outages, faults, follow };
}

/** Copies of shards and their nodes, and changes of primaries. */
function followCopies() {
  const promotions: Promotion[] = [];
  const tables: Table[] = [];
  const uuids = new Map<string, string>();
  const places = new Map<string, string>();
  const primaries = new Map<string, string>();
  const primaryOf = (shard: string, allocationId: string, atMs: number): void => {
    if (allocationId === "" || primaries.get(shard) === allocationId) return;
    primaries.set(shard, allocationId);
    const node = places.get(allocationId);
    if (node !== undefined) promotions.push({ shard, node, atMs });
  };
  return {
    promotions,
    uuidOf: (index: string): string | undefined => uuids.get(index),
    follow: (event: RecordedEvent): void => {
      if (event.kind === "shard-state-changed") places.set(event.allocationId, event.node);
      if (event.kind !== "shard-copies-changed") return;
      const { index, indexUuid, shard, primary, at_ms: atMs } = event;
      uuids.set(index, indexUuid);
      primaryOf(`${index}/${shard}`, primary, atMs);
    },
    state: (atMs: number, { cluster, shards }: ObservedState): void => {
      const holders = new Map<string, Holder[]>();
      for (const { index, shard, isPrimary, state, node, allocationId } of shards) {
        if (allocationId !== undefined && node !== undefined) places.set(allocationId, node);
        if (node === undefined || (state !== "STARTED" && state !== "RELOCATING")) continue;
        const key = `${index}/${shard}`;
        const all = holders.get(key) ?? [];
        holders.set(key, all);
        all.push({ node, isPrimary });
      }
      tables.push({ atMs, cluster, holders });
    },
    holdersAt: (shard: string, atMs: number): readonly Holder[] => {
      const table = tables.findLast((one) => one.atMs <= atMs && one.holders.has(shard));
      return table?.holders.get(shard) ?? [];
    },
  };
}

/** Syncs of translogs, by node and shard. */
function followSyncs() {
  const syncs = new Map<string, number[]>();
  let isSeen = false;
  return {
    isSeen: (): boolean => isSeen,
    follow: (event: RecordedEvent): void => {
      if (event.kind !== "disk-synced") return;
      isSeen = true;
      const found = TRANSLOG.exec(event.path);
      if (found === null) return;
      const key = `${event.node} ${found[1]}/${found[2]}`;
      const times = syncs.get(key) ?? [];
      syncs.set(key, times);
      times.push(event.at_ms);
    },
    last: (key: string, beforeMs: number): number | undefined =>
      syncs.get(key)?.findLast((atMs) => atMs <= beforeMs),
  };
}
