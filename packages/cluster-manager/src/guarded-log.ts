/**
 * The applied log behind its quarantine: an entry, or a snapshot, that cannot become a part of the state ends this node's part in the
 * group, and is kept in the store until it can be applied or is passed over (`quarantine.ts`).
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
  /** The node takes part in nothing any more, and applies nothing. */
  readonly isHalted: () => boolean;
  /** The next start is to come to the entry at this index before it takes part in anything. */
  readonly saveCommit: (index: number) => void;
  /** An entry is in quarantine: the node halts. */
  readonly quarantined: () => void;
  /** The store did not take what was to be kept of an entry in quarantine. */
  readonly quarantineNotSaved: (error: unknown) => void;
  /** The store did not take that the quarantine is over. */
  readonly releaseNotSaved: (error: unknown) => void;
}

export interface GuardedLog {
  /** Entries that the operator has this node pass over. */
  readonly skipped: readonly Position[];
  readonly isInQuarantine: boolean;
  /** What the store says of earlier lives. */
  load(stored: StoredNode): void;
  /** How the entry was taken; in quarantine, so is everything after it. */
  apply(entry: Position & { readonly data: Uint8Array }): "applied" | "passed-over" | "quarantined";
  /** False: it is in quarantine. */
  restore(snapshot: Snapshot): boolean;
}

export function createGuardedLog(options: GuardedLogOptions): GuardedLog {
  const { host, log, localNode } = options;
  /** As it is in the store. */
  let quarantine: Quarantine | undefined;
  let skipped: readonly Position[] = [];

  const enter = (found: Quarantine): void => {
    const { index, term, reason } = found;
    host.log("error", describeQuarantine(found));
    host.trace({ kind: "log-entry-quarantined", nodeId: localNode.id, index, term, reason });
    options.saveCommit(index);
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
    if (quarantine !== undefined && quarantine.index <= position.index) {
      host.log("warn", `goes on behind entry [${quarantine.index}], which was in quarantine`);
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
