/**
 * Plausibility of messages from other nodes: a message that no correct member sends is refused before it is stepped,
 * because acting on it would break an assertion or an invariant of this node's log. This file has no counterpart in
 * etcd-io/raft, which trusts its peers.
 */
import { lastIndex } from "./log.ts";
import { isLocalTarget } from "./message.ts";
import type { Raft } from "./raft.ts";
import type { ConfState, Message, Snapshot } from "./types.ts";

/**
 * Whether a message contradicts the protocol or this node's own log. Checks are by kind, and only for fields that the
 * kind uses.
 */
export function isImplausible(raft: Raft, message: Message): boolean {
  const { kind, from, term, index, commit, rejectHint } = message;
  const numbers = [term, message.logTerm, index, commit, rejectHint, message.vote];
  if (!isMemberId(from) || !numbers.every(isCount)) return true;
  // The contents of a message of an earlier term are never used: see `answerLowerTerm`.
  if (term !== 0 && term < raft.term) return false;
  switch (kind) {
    case "MsgApp":
      return !isInOrder(message);
    case "MsgHeartbeat":
      return commit > lastIndex(raft.log);
    case "MsgSnap":
      return message.snapshot === undefined || !isSnapshot(message.snapshot, term);
    case "MsgAppResp":
      if (message.reject) return rejectHint > index;
      return raft.role === "StateLeader" && term === raft.term && index > lastIndex(raft.log);
    case "MsgReadIndex":
    case "MsgReadIndexResp":
      return message.entries.length !== 1;
    default:
      return false;
  }
}

/**
 * Whether the entries follow the position before them without a gap, with terms that never decrease and none above
 * the sender's.
 */
function isInOrder({ entries, index, logTerm, term }: Message): boolean {
  let before = logTerm;
  return entries.every((entry, i) => {
    const isOfTerm = entry.term >= before && (term === 0 || entry.term <= term);
    const follows = entry.index === index + 1 + i && isOfTerm;
    before = entry.term;
    return follows && isCount(entry.term) && entry.term > 0;
  });
}

/** Whether a snapshot has a position, a term not above the sender's, and a possible membership. */
function isSnapshot({ index, term, confState }: Snapshot, messageTerm: number): boolean {
  if (!isCount(index) || index === 0 || !isCount(term)) return false;
  if (messageTerm !== 0 && term > messageTerm) return false;
  return isConfState(confState);
}

/**
 * Whether a configuration can be restored from the membership: at least one voter, no id twice, staged learners among
 * outgoing voters only.
 */
function isConfState({ voters, learners, votersOutgoing, learnersNext }: ConfState): boolean {
  const isSet = (ids: readonly number[]): boolean =>
    ids.every(isMemberId) && new Set(ids).size === ids.length;
  if (voters.length === 0 || ![voters, learners, votersOutgoing, learnersNext].every(isSet)) {
    return false;
  }
  const voting = new Set([...voters, ...votersOutgoing]);
  return (
    !learners.some((id) => voting.has(id) || learnersNext.includes(id)) &&
    learnersNext.every((id) => votersOutgoing.includes(id) && !voters.includes(id))
  );
}

function isMemberId(id: number): boolean {
  return isCount(id) && id > 0 && !isLocalTarget(id);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
