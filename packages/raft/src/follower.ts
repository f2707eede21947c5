/**
 * Messages as a follower and a (pre-)candidate handle them (`stepFollower`, `stepCandidate` of etcd-io/raft).
 *
 * The caller, `step`, has already compared terms: any MsgApp, MsgHeartbeat or MsgSnap that arrives here is from the
 * one leader of the node's term (INV-ELECTION-1).
 */
import { emptyBytes } from "@orrery/stdx";
import { acceptAppend, acceptHeartbeat, acceptSnapshot } from "./accept.ts";
import { countVote, startElection } from "./election.ts";
import { none } from "./message.ts";
import { accepted, hex, proposalDropped, send, type Raft } from "./raft.ts";
import { becomeFollower } from "./roles.ts";
import type { Message, StepResult } from "./types.ts";

/**
 * Steps a message as a follower. The leader's messages restart the election timer before anything else is looked at:
 * even a rejected append shows that the leader lives.
 */
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
      receiveReadIndex(raft, message);
      return accepted;
    default:
      return accepted;
  }
}

/**
 * Steps a message as a candidate or pre-candidate. Proposals are dropped and not kept: the election may last long,
 * and the proposer can retry.
 */
export function stepCandidate(raft: Raft, message: Message): StepResult {
  switch (message.kind) {
    case "MsgProp":
      return dropForLackOfLeader(raft);
    case "MsgApp":
    case "MsgHeartbeat":
    case "MsgSnap":
      // Another node has won this term: this candidate has lost.
      becomeFollower(raft, message.term, message.from);
      followLeader(raft, message);
      return accepted;
    case "MsgVoteResp":
    case "MsgPreVoteResp": {
      // A late grant of this node's pre-vote is no vote: that node may have voted for another candidate since.
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

/** The forwarded message keeps its sender and has term 0, so that the leader handles it like a proposal of its own. */
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

/**
 * Makes this node willing to vote for another node before its election timeout. With lease-based reads it is refused:
 * a second leader could be elected within the lease of the first.
 */
function forgetLeader(raft: Raft): void {
  if (raft.settings.readOnlyOption === "lease-based") {
    raft.logger?.error("ignoring MsgForgetLeader due to ReadOnlyLeaseBased");
    return;
  }
  if (raft.lead === none) return;
  raft.logger?.info(`${hex(raft.id)} forgetting leader ${hex(raft.lead)} at term ${raft.term}`);
  raft.lead = none;
}

/** The leader's answer to a read that this node forwarded becomes a ReadState. */
function receiveReadIndex(raft: Raft, { from, index, entries }: Message): void {
  if (entries.length !== 1) {
    raft.logger?.error(
      `${hex(raft.id)} invalid format of MsgReadIndexResp from ${hex(from)}, entries count: ${entries.length}`,
    );
    return;
  }
  const requestContext = entries[0]?.data ?? emptyBytes;
  raft.readStates = [...raft.readStates, { index, requestContext }];
}
