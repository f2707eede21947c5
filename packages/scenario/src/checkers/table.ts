/** Checkers of the core, in the order in which they judge. */
import { acknowledgedChangesAreEverywhere } from "./acknowledged-changes-are-everywhere.ts";
import type { Checker } from "./checker.ts";
import { checkpointsAgree } from "./checkpoints-agree.ts";
import { compareAndSetIsLinearizable } from "./compare-and-set-is-linearizable.ts";
import { convergesToGreen } from "./converges-to-green.ts";
import { copiesShareTheirHistory } from "./copies-share-their-history.ts";
import { copiesOfAShardAgree } from "./copies-of-a-shard-agree.ts";
import { decommissionedZoneIsEmpty } from "./decommissioned-zone-is-empty.ts";
import { documentsExistOnce } from "./documents-exist-once.ts";
import { getsSeeAcknowledgedWrites } from "./gets-see-acknowledged-writes.ts";
import { inSyncRules } from "./in-sync-rules.ts";
import { leasedHistoryIsKept } from "./leased-history-is-kept.ts";
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

export const coreRows: readonly Checker[] = [
  oneClusterManagerPerTerm,
  logMatching,
  stateVersionsGrow,
  noAcknowledgedWriteLost,
  compareAndSetIsLinearizable,
  copiesOfAShardAgree,
  checkpointsAgree,
  inSyncRules,
  leasedHistoryIsKept,
  searchesSeeRefreshedDocuments,
  pagesShowOneMoment,
  decommissionedZoneIsEmpty,
  noDanglingImportOverwrites,
  snapshotContentEqualsIndex,
  snapshotStatusNeverGoesBackwards,
  convergesToGreen,
  documentsExistOnce,
  getsSeeAcknowledgedWrites,
  unsyncedWritesAreRecent,
  acknowledgedChangesAreEverywhere,
  reportsTellTheTruth,
  operationsEndInTime,
  nothingGrowsInQuiet,
  copiesShareTheirHistory,
  placementFollowsItsRules,
  nothingIsUnforeseen,
];
