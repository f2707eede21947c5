/**
 * What no member that works as this package does would send: a message like that is refused before it is looked at, because
 * acting on it would break what this node knows of its own log.
 */
import { lastIndex } from "./log.ts";
import { isLocalTarget } from "./message.ts";
import type { Raft } from "./raft.ts";
import type { ConfState, Message, Snapshot } from "./types.ts";

export function isImplausible(raft: Raft, message: Message): boolean {
  const { kind, from, term, index, commit, rejectHint } = message;
  const numbers = [term, message.logTerm, index, commit, rejectHint, message.vote];
  if (!isMemberId(from) || !numbers.every(isCount)) return true;
  // Of an earlier term: it is answered with ours, and nothing else of it counts.
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

function isInOrder({ entries, index, logTerm, term }: Message): boolean {
  let before = logTerm;
  return entries.every((entry, i) => {
    const isOfTerm = entry.term >= before && (term === 0 || entry.term <= term);
    const follows = entry.index === index + 1 + i && isOfTerm;
    before = entry.term;
    return follows && isCount(entry.term) && entry.term > 0;
  });
}

function isSnapshot({ index, term, confState }: Snapshot, messageTerm: number): boolean {
  if (!isCount(index) || index === 0 || !isCount(term)) return false;
  if (messageTerm !== 0 && term > messageTerm) return false;
  return isConfState(confState);
}

/** One that a configuration can be made of: nobody is in it twice, and somebody votes. */
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
