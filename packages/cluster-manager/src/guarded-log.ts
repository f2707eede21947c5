/**
 * The applied log behind its quarantine: an entry or a snapshot that cannot be applied halts this node's membership in
 * the Raft group, and is recorded in the store until it can be applied or an operator has it skipped (`quarantine.ts`).
 *
 * Halting is the only safe outcome. The entry is committed, so other nodes apply it; a node that went on without it
 * would show a different state at the same index (INV-COORD-3), and one that crashed would restart into the same error.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { Host, StoredNode } from "@orrery/ports";
import type { Snapshot } from "@orrery/raft";
import type { AppliedLog } from "./applied-log.ts";
import {
  describeQuarantine,
  quarantineOf,
  readQuarantine,
  readSkipped,
  saveQuarantine,
  type Position,
  type Quarantine,
} from "./quarantine.ts";

export interface GuardedLogOptions {
  readonly host: Host;
  readonly localNode: DiscoveryNode;
  readonly log: AppliedLog;
  /** Whether the node has halted; nothing is applied then. */
  readonly isHalted: () => boolean;
  /** Makes the commit index durable, so that the next start reaches the entry before it takes part in anything. */
  readonly saveCommit: (index: number) => void;
  /** Halts the node; called when an entry enters quarantine. */
  readonly quarantined: () => void;
  /** Called when the store rejects the record of an entry in quarantine. */
  readonly quarantineNotSaved: (error: unknown) => void;
  /** Called when the store rejects the end of a quarantine. */
  readonly releaseNotSaved: (error: unknown) => void;
}

/** The applied log as Raft's driver uses it. */
export interface GuardedLog {
  /** Entries that this node skips by an operator's decision. */
  readonly skipped: readonly Position[];
  readonly isInQuarantine: boolean;
  /** Reads the quarantine and the skipped entries of earlier processes. */
  load(stored: StoredNode): void;
  /**
   * Applies one entry, or passes over it by an operator's decision. After the first entry in quarantine, and once halted,
   * every outcome is `quarantined`.
   */
  apply(entry: Position & { readonly data: Uint8Array }): "applied" | "passed-over" | "quarantined";
  /** False when the snapshot could not be decoded, or the node has halted. */
  restore(snapshot: Snapshot): boolean;
}

/** The guard over `log`; `load` must be called before the first entry. */
export function createGuardedLog(options: GuardedLogOptions): GuardedLog {
  const { host, log, localNode } = options;
  /** The record in the store. */
  let quarantine: Quarantine | undefined;
  let skipped: readonly Position[] = [];

  const enter = (found: Quarantine): void => {
    const { index, term, reason } = found;
    host.log("error", describeQuarantine(found));
    host.trace({ kind: "log-entry-quarantined", nodeId: localNode.id, index, term, reason });
    options.saveCommit(index);
    // A restart that meets the same error again need not write the same record again.
    if (JSON.stringify(quarantine) !== JSON.stringify(found)) {
      saveQuarantine(host.store, found).catch(options.quarantineNotSaved);
    }
    options.quarantined();
  };

  const applyOrQuarantine = (
    position: Position,
    data: Uint8Array | undefined,
    apply: () => void,
  ): boolean => {
    if (options.isHalted()) return false;
    try {
      apply();
    } catch (error) {
      enter(quarantineOf(position, data, error));
      return false;
    }
    // The entry was applied or skipped this time: another version of the program, or the operator, has released it.
    if (quarantine !== undefined && quarantine.index <= position.index) {
      host.log("warn", `entry [${quarantine.index}] is released from quarantine`);
      quarantine = undefined;
      saveQuarantine(host.store, undefined).catch(options.releaseNotSaved);
    }
    return true;
  };

  return {
    get skipped() {
      return skipped;
    },
    get isInQuarantine() {
      return quarantine !== undefined;
    },
    load(stored) {
      quarantine = readQuarantine(stored);
      skipped = readSkipped(stored);
    },
    apply(entry) {
      const { index, term, data } = entry;
      const isPassedOver = skipped.some((one) => one.index === index && one.term === term);
      const apply = (): void => (isPassedOver ? log.passOver(entry) : log.apply(entry));
      if (!applyOrQuarantine(entry, data, apply)) return "quarantined";
      return isPassedOver ? "passed-over" : "applied";
    },
    restore: (snapshot) => applyOrQuarantine(snapshot, undefined, () => log.restore(snapshot)),
  };
}
