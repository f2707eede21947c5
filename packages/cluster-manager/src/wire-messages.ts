/**
 * Raft's messages as they come from other nodes: which kinds travel, and that everything in them can be applied one day.
 *
 * What gets past here is in the log of this node, and a log holds nothing that its state cannot read.
 */
import { checkState, readEntry } from "@orrery/cluster-state";
import { decodeRaftMessage, Proposal, SnapshotData } from "@orrery/protocol";
import { decodeConfChange, type Entry, type Message } from "@orrery/raft";
import { illegalArgument } from "@orrery/stdx";

type Kind = Message["kind"];

/** What members send each other; all other kinds are of this node's own clock, storage and tasks. */
const travelling: ReadonlyMap<Kind, "one-way" | "snapshot"> = new Map<Kind, "one-way" | "snapshot">(
  [
    ["MsgApp", "one-way"],
    ["MsgAppResp", "one-way"],
    ["MsgVote", "one-way"],
    ["MsgVoteResp", "one-way"],
    ["MsgPreVote", "one-way"],
    ["MsgPreVoteResp", "one-way"],
    ["MsgHeartbeat", "one-way"],
    ["MsgHeartbeatResp", "one-way"],
    ["MsgTimeoutNow", "one-way"],
    ["MsgReadIndex", "one-way"],
    ["MsgReadIndexResp", "one-way"],
    ["MsgSnap", "snapshot"],
  ],
);

/** They are forwarded as their sender was told them. */
const withoutTerm: ReadonlySet<Kind> = new Set<Kind>(["MsgReadIndex", "MsgReadIndexResp"]);

/** Throws for what no member sends, and for entries and snapshots that nobody could apply. */
export function readWireMessage(payload: Uint8Array, how: "one-way" | "snapshot"): Message {
  const message = decodeRaftMessage(payload);
  const { kind, entries, snapshot } = message;
  if (message.term === 0 && !withoutTerm.has(kind)) throw illegalArgument(`[${kind}] of no term`);
  if (travelling.get(kind) !== how) throw illegalArgument(`no member sends [${kind}] this way`);
  // The one entry of a read is the name of the read.
  if (kind !== "MsgReadIndex" && kind !== "MsgReadIndexResp") entries.forEach(checkEntry);
  if ((snapshot !== undefined) !== (kind === "MsgSnap"))
    throw illegalArgument(`a snapshot in [${kind}]`);
  if (snapshot !== undefined) checkState(SnapshotData.decode(snapshot.data).state);
  return message;
}

function checkEntry(entry: Entry): void {
  if (entry.kind !== "EntryNormal") decodeConfChange(entry);
  else if (entry.data.length > 0) readEntry(Proposal.decode(entry.data).entry);
}
