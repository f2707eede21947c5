/** Table of actions by kind. A new kind does not compile without its row. */
import type { ActionKind, ActionRow } from "./action.ts";
import { alias } from "./alias.ts";
import { allocateReplica } from "./allocate-replica.ts";
import { cancel } from "./cancel.ts";
import { close } from "./close.ts";
import { clusterSettings } from "./cluster-settings.ts";
import { dangling } from "./dangling.ts";
import { dataStream } from "./data-stream.ts";
import { decommission } from "./decommission.ts";
import { filter } from "./filter.ts";
import { forcePrimary } from "./force-primary.ts";
import { indexSettings } from "./index-settings.ts";
import { mapping } from "./mapping.ts";
import { move } from "./move.ts";
import { pauseFollowing } from "./pause-following.ts";
import { replicas } from "./replicas.ts";
import { restore } from "./restore.ts";
import { retryFailed } from "./retry-failed.ts";
import { shortLivedIndex } from "./short-lived-index.ts";
import { snapshot } from "./snapshot.ts";
import { upkeep } from "./upkeep.ts";
import { votingExclusions } from "./voting-exclusions.ts";
import { zoneWeights } from "./zone-weights.ts";

/**
 * Actions in the order in which they are reverted: an index is opened before its settings are reset, and failed
 * allocations are retried last.
 */
export const actions: { readonly [Kind in ActionKind]: ActionRow } = {
  "cluster-settings": clusterSettings,
  decommission,
  "zone-weights": zoneWeights,
  "voting-exclusions": votingExclusions,
  close,
  "index-settings": indexSettings,
  filter,
  replicas,
  "short-lived-index": shortLivedIndex,
  "data-stream": dataStream,
  dangling,
  restore,
  "pause-following": pauseFollowing,
  move,
  cancel,
  "allocate-replica": allocateReplica,
  "force-primary": forcePrimary,
  mapping,
  alias,
  upkeep,
  "retry-failed": retryFailed,
  snapshot,
};

export const actionKinds: readonly ActionKind[] = Object.keys(actions) as ActionKind[];
