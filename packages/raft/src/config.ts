/** The checks on a configuration, and the defaults of its optional members (`Config.validate` of etcd-io/raft). */
import { assert } from "@orrery/stdx";
import { noLimit } from "./entry-size.ts";
import { isLocalTarget, none } from "./message.ts";
import type { Config } from "./types.ts";

/** A complete configuration; only the logger may be absent. */
export type Settings = Required<Omit<Config, "logger">> & Pick<Config, "logger">;

/** Checks a configuration and fills in defaults. A wrong one is a bug of the caller, hence assertions. */
export function settingsOf(config: Config): Settings {
  const { id, electionTick, heartbeatTick, maxSizePerMsg, maxInflightMsgs } = config;
  const maxInflightBytes = config.maxInflightBytes ?? 0;
  const readOnlyOption = config.readOnlyOption ?? "safe";
  const checkQuorum = config.checkQuorum ?? false;
  assert(id !== none, "cannot use none as id");
  assert(!isLocalTarget(id), "cannot use local target as id");
  assert(heartbeatTick > 0, "heartbeat tick must be greater than 0");
  assert(electionTick > heartbeatTick, "election tick must be greater than heartbeat tick");
  assert(maxInflightMsgs > 0, "max inflight messages must be greater than 0");
  assert(
    maxInflightBytes === 0 || maxInflightBytes >= maxSizePerMsg,
    "max inflight bytes must be >= max message size",
  );
  assert(
    readOnlyOption !== "lease-based" || checkQuorum,
    "CheckQuorum must be enabled when ReadOnlyOption is ReadOnlyLeaseBased",
  );
  return {
    ...config,
    applied: config.applied ?? 0,
    asyncStorageWrites: config.asyncStorageWrites ?? false,
    // `nextCommittedEntries` needs room above 0, and returns at least one entry however large it is.
    maxCommittedSizePerReady: config.maxCommittedSizePerReady || Math.max(maxSizePerMsg, 1),
    maxUncommittedEntriesSize: config.maxUncommittedEntriesSize || noLimit,
    maxInflightBytes: maxInflightBytes || noLimit,
    checkQuorum,
    preVote: config.preVote ?? false,
    readOnlyOption,
    disableProposalForwarding: config.disableProposalForwarding ?? false,
    disableConfChangeValidation: config.disableConfChangeValidation ?? false,
    stepDownOnRemoval: config.stepDownOnRemoval ?? false,
  };
}
