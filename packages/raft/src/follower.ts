/** What a follower and a (pre-)candidate do with each kind of message. */
import { emptyBytes } from "@orrery/stdx";
import { acceptAppend, acceptHeartbeat, acceptSnapshot } from "./accept.ts";
import { countVote, startElection } from "./election.ts";
import { none } from "./message.ts";
import { accepted, hex, proposalDropped, send, type Raft } from "./raft.ts";
import { becomeFollower } from "./roles.ts";
import type { Message, StepResult } from "./types.ts";

export function stepFollower(raft: Raft, message: Message): StepResult {
  switch (message.kind) {
    case "MsgProp":
      return forwardProposal(raft, message);
    case "MsgApp":
    case "MsgHeartbeat":
    case "MsgSnap":
      raft.electionElapsed = 0;
      raft.lead = message.from;
      followLeader(raft, message);
      return accepted;
    case "MsgTransferLeader":
      forward(raft, message, "leader transfer msg");
      return accepted;
    case "MsgReadIndex":
      forward(raft, message, "index reading msg");
      return accepted;
    case "MsgForgetLeader":
      forgetLeader(raft);
      return accepted;
    case "MsgTimeoutNow":
      raft.logger?.info(
        `${hex(raft.id)} [term ${raft.term}] received MsgTimeoutNow from ${hex(message.from)} ` +
          "and starts an election to get leadership.",
      );
      startElection(raft, "transfer");
      return accepted;
    case "MsgReadIndexResp":
      takeReadIndex(raft, message);
      return accepted;
    default:
      return accepted;
  }
}

export function stepCandidate(raft: Raft, message: Message): StepResult {
  switch (message.kind) {
    case "MsgProp":
      return dropForLackOfLeader(raft);
    case "MsgApp":
    case "MsgHeartbeat":
    case "MsgSnap":
      // Somebody else has won this term.
      becomeFollower(raft, message.term, message.from);
      followLeader(raft, message);
      return accepted;
    case "MsgVoteResp":
    case "MsgPreVoteResp": {
      // A late answer to this node's own pre-vote is not an answer to its vote.
      const isMine = (message.kind === "MsgPreVoteResp") === (raft.role === "StatePreCandidate");
      if (isMine) countVote(raft, message);
      return accepted;
    }
    case "MsgTimeoutNow":
      raft.logger?.debug(
        `${hex(raft.id)} [term ${raft.term} state ${raft.role}] ignored MsgTimeoutNow from ${hex(message.from)}`,
      );
      return accepted;
    default:
      return accepted;
  }
}

function followLeader(raft: Raft, message: Message): void {
  if (message.kind === "MsgApp") acceptAppend(raft, message);
  else if (message.kind === "MsgHeartbeat") acceptHeartbeat(raft, message);
  else acceptSnapshot(raft, message);
}

function forwardProposal(raft: Raft, message: Message): StepResult {
  if (raft.lead === none) return dropForLackOfLeader(raft);
  if (raft.settings.disableProposalForwarding) {
    raft.logger?.info(
      `${hex(raft.id)} not forwarding to leader ${hex(raft.lead)} at term ${raft.term}; dropping proposal`,
    );
    return proposalDropped;
  }
  send(raft, { ...message, to: raft.lead });
  return accepted;
}

function dropForLackOfLeader(raft: Raft): StepResult {
  raft.logger?.info(`${hex(raft.id)} no leader at term ${raft.term}; dropping proposal`);
  return proposalDropped;
}

function forward(raft: Raft, message: Message, what: string): void {
  if (raft.lead === none) {
    raft.logger?.info(`${hex(raft.id)} no leader at term ${raft.term}; dropping ${what}`);
    return;
  }
  send(raft, { ...message, to: raft.lead, term: 0 });
}

function forgetLeader(raft: Raft): void {
  if (raft.settings.readOnlyOption === "lease-based") {
    raft.logger?.error("ignoring MsgForgetLeader due to ReadOnlyLeaseBased");
    return;
  }
  if (raft.lead === none) return;
  raft.logger?.info(`${hex(raft.id)} forgetting leader ${hex(raft.lead)} at term ${raft.term}`);
  raft.lead = none;
}

function takeReadIndex(raft: Raft, { from, index, entries }: Message): void {
  if (entries.length !== 1) {
    raft.logger?.error(
      `${hex(raft.id)} invalid format of MsgReadIndexResp from ${hex(from)}, entries count: ${entries.length}`,
    );
    return;
  }
  const requestContext = entries[0]?.data ?? emptyBytes;
  raft.readStates = [...raft.readStates, { index, requestContext }];
}
