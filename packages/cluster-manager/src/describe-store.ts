/** What a node's store says about its part in the cluster, for an operator. */
import { nodeIdName, type StoredNode } from "@orrery/ports";
import { decodeHardState, decodeSnapshot } from "@orrery/protocol";
import { utf8Decode } from "@orrery/stdx";
import { readQuarantine, readSkipped, type Position, type Quarantine } from "./quarantine.ts";
import { readRaftId } from "./raft-log.ts";

export interface StoredPart {
  readonly nodeId: string | undefined;
  /** 0: it never held the log. */
  readonly raftId: number;
  readonly term: number;
  /** Raft id that got its vote in this term; 0: none. */
  readonly vote: number;
  readonly committedIndex: number;
  /** 0: there is none. */
  readonly snapshotIndex: number;
  readonly firstIndex: number;
  readonly lastIndex: number;
  readonly loss: string | undefined;
  readonly quarantine: Quarantine | undefined;
  readonly skipped: readonly Position[];
}

export function describeStored(stored: StoredNode): StoredPart {
  const { hardState, snapshot, entries, values, loss } = stored;
  const nodeId = values.get(nodeIdName);
  const { term, vote, commit } =
    hardState === undefined ? { term: 0, vote: 0, commit: 0 } : decodeHardState(hardState);
  return {
    nodeId: nodeId === undefined ? undefined : utf8Decode(nodeId),
    raftId: readRaftId(stored),
    term,
    vote,
    committedIndex: commit,
    snapshotIndex: snapshot === undefined ? 0 : decodeSnapshot(snapshot).index,
    firstIndex: entries[0]?.index ?? 0,
    lastIndex: entries.at(-1)?.index ?? 0,
    loss,
    quarantine: readQuarantine(stored),
    skipped: readSkipped(stored),
  };
}
