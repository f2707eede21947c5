/** The plugin's half for shard workers. */
import type { ShardPlugin } from "@orrery/shard-worker";
import { actions } from "../actions.ts";
import { aliasOfRepository, LEADER_INDEX_SETTING, PLUGIN_NAME } from "../names.ts";
import { serveChanges } from "./changes.ts";
import { serveCloseFiles, serveOpenFiles, serveReadFile } from "./files.ts";
import { serveAddLease, serveRemoveLease, serveRenewLease } from "./leases.ts";
import { serveReplay } from "./replay.ts";
import { restoreFromRemote } from "./restore.ts";
import { serveLeaderShard } from "./status.ts";

/** The half of the plugin that shard workers run: transport actions on shards, and the restore of followers. */
export const shardPlugin: ShardPlugin = {
  name: PLUGIN_NAME,
  actions: {
    [actions.changes]: serveChanges,
    [actions.openFiles]: serveOpenFiles,
    [actions.readFile]: serveReadFile,
    [actions.closeFiles]: serveCloseFiles,
    [actions.addLease]: serveAddLease,
    [actions.renewLease]: serveRenewLease,
    [actions.removeLease]: serveRemoveLease,
    [actions.replay]: serveReplay,
    [actions.leaderShard]: serveLeaderShard,
  },
  hasForeignHistory: ({ service }) => service.metadata.settings[LEADER_INDEX_SETTING] !== undefined,
  restore: {
    isOwn: (repository) => aliasOfRepository(repository) !== undefined,
    recover: restoreFromRemote,
  },
};
