/** Every checker by its name. */
import { acknowledgedChangesAreEverywhere } from "./acknowledged-changes-are-everywhere.ts";
import type { Checker, CheckerName } from "./checker.ts";
import { checkpointsAgree } from "./checkpoints-agree.ts";
import { compareAndSetIsLinearizable } from "./compare-and-set-is-linearizable.ts";
import { convergesToGreen } from "./converges-to-green.ts";
import { copiesShareTheirHistory } from "./copies-share-their-history.ts";
import { copiesOfAShardAgree } from "./copies-of-a-shard-agree.ts";
import { decommissionedZoneIsEmpty } from "./decommissioned-zone-is-empty.ts";
import { documentsExistOnce } from "./documents-exist-once.ts";
import { followerEqualsLeader } from "./follower-equals-leader.ts";
import { getsSeeAcknowledgedWrites } from "./gets-see-acknowledged-writes.ts";
import { inSyncRules } from "./in-sync-rules.ts";
import { leasedHistoryIsKept } from "./leased-history-is-kept.ts";
import { leasesHoldOnEveryCopy } from "./leases-hold-on-every-copy.ts";
import { logMatching } from "./log-matching.ts";
import { noAcknowledgedWriteLost } from "./no-acknowledged-write-lost.ts";
import { noDanglingImportOverwrites } from "./no-dangling-import-overwrites.ts";
import { nothingGrowsInQuiet } from "./nothing-grows-in-quiet.ts";
import { nothingIsUnforeseen } from "./nothing-is-unforeseen.ts";
import { oneClusterManagerPerTerm } from "./one-cluster-manager-per-term.ts";
import { operationsEndInTime } from "./operations-end-in-time.ts";
import { pagesShowOneMoment } from "./pages-show-one-moment.ts";
import { placementFollowsItsRules } from "./placement-follows-its-rules.ts";
import { reportsTellTheTruth } from "./reports-tell-the-truth.ts";
import { searchesSeeRefreshedDocuments } from "./searches-see-refreshed-documents.ts";
import { snapshotContentEqualsIndex } from "./snapshot-content-equals-index.ts";
import { snapshotStatusNeverGoesBackwards } from "./snapshot-status-never-goes-backwards.ts";
import { stateVersionsGrow } from "./state-versions-grow.ts";
import { unsyncedWritesAreRecent } from "./unsynced-writes-are-recent.ts";

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
  "documents-exist-once": documentsExistOnce,
  "gets-see-acknowledged-writes": getsSeeAcknowledgedWrites,
  "unsynced-writes-are-recent": unsyncedWritesAreRecent,
  "acknowledged-changes-are-everywhere": acknowledgedChangesAreEverywhere,
  "leases-hold-on-every-copy": leasesHoldOnEveryCopy,
  "reports-tell-the-truth": reportsTellTheTruth,
  "operations-end-in-time": operationsEndInTime,
  "nothing-grows-in-quiet": nothingGrowsInQuiet,
  "copies-share-their-history": copiesShareTheirHistory,
  "placement-follows-its-rules": placementFollowsItsRules,
  "nothing-is-unforeseen": nothingIsUnforeseen,
};
