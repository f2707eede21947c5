/**
 * The store of a shard as the cluster manager sees it when it looks for a copy to start a primary from, or for a node
 * to recover a replica on (`TransportNodesListGatewayStartedShards`, `TransportNodesListShardStoreMetadata`).
 */
import { DiskError, type Disk } from "@orrery/ports";
import { NO_OPS_PERFORMED, type StoredFile } from "@orrery/replication";
import { utf8Decode, utf8Encode, type Problem } from "@orrery/stdx";
import { filesOf, listCommits, readCommit, type Commit } from "./commit.ts";
import { CorruptStoreError } from "./corruption.ts";
import { shardPaths } from "./layout.ts";
import { readShardState } from "./shard-state.ts";

/** The files that one copy left on the disk. */
export interface StoreInfo {
  /** The copy that wrote the files; empty when the state file that names it is damaged. */
  readonly allocationId: string;
  readonly primary: boolean;
  /** `undefined` without a readable commit. */
  readonly historyUuid: string | undefined;
  readonly maxSeqNo: number;
  /** Every operation up to here is in the last commit. */
  readonly localCheckpoint: number;
  readonly sizeBytes: number;
  readonly files: readonly StoredFile[];
  /** The reason why the files cannot be used. */
  readonly problem: Problem | undefined;
}

/** The store of a shard on this node's disk: one entry, or none if the disk has no state file of the shard. */
export function readShardStores(
  disk: Disk,
  indexUuid: string,
  shard: number,
): readonly StoreInfo[] {
  const paths = shardPaths(indexUuid, shard);
  if (!disk.exists(paths.state)) return [];
  const state = attempt(() => readShardState(disk, paths.state));
  if ("problem" in state) return [unusable("", false, state.problem)];
  if (state.value === undefined) return [];
  const { allocationId, primary } = state.value;
  const marker = readCorruptionMarker(disk, paths.state);
  if (marker !== undefined) return [unusable(allocationId, primary, marker)];
  const commit = attempt(() => lastCommit(disk, paths.index));
  if ("problem" in commit) return [unusable(allocationId, primary, commit.problem)];
  const files = commit.value === undefined ? [] : filesOf(commit.value);
  const missing = files.find(({ name }) => !disk.exists(`${paths.index}/${name}`));
  if (missing !== undefined) {
    const reason = `no such file (resource=${missing.name})`;
    return [
      unusable(allocationId, primary, { type: "corrupt_index_exception", reason, status: 500 }),
    ];
  }
  return [
    {
      allocationId,
      primary,
      historyUuid: commit.value?.historyUuid,
      maxSeqNo: commit.value?.maxSeqNo ?? NO_OPS_PERFORMED,
      localCheckpoint: commit.value?.localCheckpoint ?? NO_OPS_PERFORMED,
      sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
      files,
      problem: undefined,
    },
  ];
}

const MARKER = "corrupted.json";

/** Marks the store as damaged, so that no primary starts from it again. */
export function markCorrupted(disk: Disk, stateFolder: string, problem: Problem): void {
  disk.write(`${stateFolder}/${MARKER}`, utf8Encode(JSON.stringify(problem)));
}

/**
 * The problem for which the store was marked as damaged; `undefined`: the store has no mark. A mark that is torn still
 * counts.
 */
export function readCorruptionMarker(disk: Disk, stateFolder: string): Problem | undefined {
  const path = `${stateFolder}/${MARKER}`;
  if (!disk.exists(path)) return undefined;
  try {
    return JSON.parse(utf8Decode(disk.read(path))) as Problem;
  } catch {
    const reason = `the store was found damaged before; why cannot be read (resource=${path})`;
    return { type: "corrupt_index_exception", reason, status: 500 };
  }
}

function lastCommit(disk: Disk, folder: string): Commit | undefined {
  const generation = listCommits(disk, folder).at(-1);
  return generation === undefined ? undefined : readCommit(disk, folder, generation);
}

function attempt<T>(read: () => T): { readonly value: T } | { readonly problem: Problem } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof CorruptStoreError) return { problem: error.problem };
    if (!(error instanceof DiskError)) throw error;
    return { problem: { type: "i_o_exception", reason: error.message, status: 500 } };
  }
}

function unusable(allocationId: string, primary: boolean, problem: Problem): StoreInfo {
  return {
    allocationId,
    primary,
    historyUuid: undefined,
    maxSeqNo: NO_OPS_PERFORMED,
    localCheckpoint: NO_OPS_PERFORMED,
    sizeBytes: 0,
    files: [],
    problem,
  };
}
