/**
 * Decoding and validation of Raft's messages from other nodes: which kinds travel between members, and that every entry
 * and snapshot in them can be decoded.
 *
 * Validation happens before Raft sees the message: entries that pass are appended to this node's log, and a log must not
 * hold an entry that its state cannot read.
 */
import { checkState, readEntry } from "@orrery/cluster-state";
import { decodeRaftMessage, Proposal, SnapshotData } from "@orrery/protocol";
import { decodeConfChange, type Entry, type Message } from "@orrery/raft";
import { illegalArgument } from "@orrery/stdx";

type Kind = Message["kind"];

/** Kinds that members exchange, and how; all other kinds are local (ticks, storage responses, proposals). */
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

/** Kinds that carry no term: read index requests are forwarded as the client's node made them. */
const withoutTerm: ReadonlySet<Kind> = new Set<Kind>(["MsgReadIndex", "MsgReadIndexResp"]);

/**
 * Decodes a message of Raft from another member.
 * @throws OperationError The kind is not sent between members in this way, or an entry or snapshot cannot be decoded.
 */
export function readWireMessage(payload: Uint8Array, how: "one-way" | "snapshot"): Message {
  const message = decodeRaftMessage(payload);
  const { kind, entries, snapshot } = message;
  if (message.term === 0 && !withoutTerm.has(kind)) throw illegalArgument(`[${kind}] of no term`);
  if (travelling.get(kind) !== how) throw illegalArgument(`no member sends [${kind}] this way`);
  // The single entry of a read index message holds the id of the read, not a proposal.
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
