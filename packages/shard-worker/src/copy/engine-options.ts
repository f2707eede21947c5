/** What an engine needs of the copy it belongs to. */
import type { EngineOptions } from "../engine/types.ts";
import type { ShardCopy } from "./shard-copy.ts";

export function engineOptions(copy: ShardCopy): EngineOptions {
  const { worker, paths, index, indexUuid, shard } = copy;
  return {
    disk: worker.disk,
    paths,
    clock: worker.clock,
    random: worker.random,
    index,
    indexUuid,
    shard,
    settings: () => copy.service.settings,
    mapping: () => copy.service.mapping,
    globalCheckpoint: () => copy.tracker.globalCheckpoint,
    leases: () => copy.leases,
    onFailed: (problem) => copy.fail("shard failure, reason [engine failure]", problem),
    onPersisted: () => copy.onPersisted(),
  };
}
