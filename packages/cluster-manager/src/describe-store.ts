/** Description of a node's stored Raft log for an operator (`orrery node inspect` and `repair`), read while the node is stopped. */
import { nodeIdName, type StoredNode } from "@orrery/ports";
import { decodeHardState, decodeSnapshot, decodeStoredEntry } from "@orrery/protocol";
import { decodeConfChange } from "@orrery/raft";
import { defined, utf8Decode } from "@orrery/stdx";
import { readQuarantine, readSkipped, type Position, type Quarantine } from "./quarantine.ts";
import { readRaftId } from "./raft-log.ts";

/** The stored log, in numbers. */
export interface StoredPart {
  readonly nodeId: string | undefined;
  /** Raft id; 0 when the node never held the log. */
  readonly raftId: number;
  /** Raft ids of the voters as of the committed entries of this log; empty when the node never held it. */
  readonly voters: readonly number[];
  readonly term: number;
  /** Raft id that this node voted for in `term`; 0 when it did not vote. */
  readonly vote: number;
  /** Commit index at the last write; the real one may be greater. */
  readonly committedIndex: number;
  /** 0 without a snapshot. */
  readonly snapshotIndex: number;
  /** Indices of the first and last stored entry; 0 when all of the log is in the snapshot. */
  readonly firstIndex: number;
  readonly lastIndex: number;
  /** Why part of what the node acknowledged is missing; undefined when nothing is. */
  readonly loss: string | undefined;
  /** The entry that the node could not apply; undefined without one. */
  readonly quarantine: Quarantine | undefined;
  /** Entries that the node skips by an operator's decision. */
  readonly skipped: readonly Position[];
}

/** Summarizes a loaded node store as the ids and log positions that an operator needs. */
export function describeStored(stored: StoredNode): StoredPart {
  const { hardState, snapshot, entries, values, loss } = stored;
  const nodeId = values.get(nodeIdName);
  const { term, vote, commit } =
    hardState === undefined ? { term: 0, vote: 0, commit: 0 } : decodeHardState(hardState);
  return {
    nodeId: nodeId === undefined ? undefined : utf8Decode(nodeId),
    raftId: readRaftId(stored),
    voters: votersIn(stored, commit),
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

/**
 * Voters after the committed changes of the configuration. Of a joint configuration these are the incoming ones, which
 * remain when it is left.
 */
function votersIn({ snapshot, entries }: StoredNode, commit: number): readonly number[] {
  const start = snapshot === undefined ? undefined : decodeSnapshot(snapshot);
  const voters = new Set(start?.confState.voters);
  for (const stored of entries) {
    if (stored.index <= (start?.index ?? 0) || stored.index > commit) continue;
    const entry = decodeStoredEntry(stored);
    if (entry.kind === "EntryNormal") continue;
    const change = defined(decodeConfChange(entry), "a configuration change");
    for (const { type, nodeId } of change.kind === "v1" ? [change] : change.changes)
      if (type === "ConfChangeAddNode") voters.add(nodeId);
      else if (type !== "ConfChangeUpdateNode") voters.delete(nodeId);
  }
  return [...voters].toSorted((a, b) => a - b);
}
