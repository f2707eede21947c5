/** Every checker by its name. */
import type { Checker, CheckerName } from "./checker.ts";
import { checkpointsAgree } from "./checkpoints-agree.ts";
import { compareAndSetIsLinearizable } from "./compare-and-set-is-linearizable.ts";
import { convergesToGreen } from "./converges-to-green.ts";
import { copiesOfAShardAgree } from "./copies-of-a-shard-agree.ts";
import { decommissionedZoneIsEmpty } from "./decommissioned-zone-is-empty.ts";
import { followerEqualsLeader } from "./follower-equals-leader.ts";
import { inSyncRules } from "./in-sync-rules.ts";
import { leasedHistoryIsKept } from "./leased-history-is-kept.ts";
import { logMatching } from "./log-matching.ts";
import { noAcknowledgedWriteLost } from "./no-acknowledged-write-lost.ts";
import { noDanglingImportOverwrites } from "./no-dangling-import-overwrites.ts";
import { oneClusterManagerPerTerm } from "./one-cluster-manager-per-term.ts";
import { pagesShowOneMoment } from "./pages-show-one-moment.ts";
import { searchesSeeRefreshedDocuments } from "./searches-see-refreshed-documents.ts";
import { snapshotContentEqualsIndex } from "./snapshot-content-equals-index.ts";
import { snapshotStatusNeverGoesBackwards } from "./snapshot-status-never-goes-backwards.ts";
import { stateVersionsGrow } from "./state-versions-grow.ts";

export const checkers: { readonly [Name in CheckerName]: Checker } = {
  "one-cluster-manager-per-term": oneClusterManagerPerTerm,
  "log-matching": logMatching,
  "state-versions-grow": stateVersionsGrow,
  "no-acknowledged-write-lost": noAcknowledgedWriteLost,
  "compare-and-set-is-linearizable": compareAndSetIsLinearizable,
  "copies-of-a-shard-agree": copiesOfAShardAgree,
  "checkpoints-agree": checkpointsAgree,
  "in-sync-rules": inSyncRules,
  "leased-history-is-kept": leasedHistoryIsKept,
  "searches-see-refreshed-documents": searchesSeeRefreshedDocuments,
  "pages-show-one-moment": pagesShowOneMoment,
  "decommissioned-zone-is-empty": decommissionedZoneIsEmpty,
  "no-dangling-import-overwrites": noDanglingImportOverwrites,
  "snapshot-content-equals-index": snapshotContentEqualsIndex,
  "snapshot-status-never-goes-backwards": snapshotStatusNeverGoesBackwards,
  "follower-equals-leader": followerEqualsLeader,
  "converges-to-green": convergesToGreen,
};
