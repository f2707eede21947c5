/** Cluster blocks (`ClusterBlocks`, `ClusterBlock`): the product's blocks by id, the operations that they refuse, and the settings that add and remove them. */
import { lookup } from "@orrery/stdx";
import type { Problem } from "@orrery/stdx";
import { clusterSetting, indexSetting, type IndexSettingValues } from "./settings/registry.ts";
import type {
  BlockLevel,
  ClusterBlock,
  ClusterBlocks,
  ClusterState,
  IndexMetadata,
} from "./types.ts";

/** All block levels, in the product's order. */
export const allLevels: readonly BlockLevel[] = [
  "read",
  "write",
  "metadata_read",
  "metadata_write",
  "create_index",
];

function block(
  id: number,
  description: string,
  levels: readonly BlockLevel[],
  rest?: Partial<ClusterBlock>,
): ClusterBlock {
  return {
    id,
    description,
    levels,
    status: "FORBIDDEN",
    isRetryable: false,
    disableStatePersistence: false,
    allowsReleasingResources: false,
    ...rest,
  };
}

const unavailable: Partial<ClusterBlock> = { status: "SERVICE_UNAVAILABLE", isRetryable: true };

/** Block 1 of a restarted cluster, which waits for its data nodes. The task `recover-state` removes it. */
export const stateNotRecoveredBlock: ClusterBlock = block(
  1,
  "state not recovered / initialized",
  ["read", "write", "metadata_read", "metadata_write"],
  { ...unavailable, disableStatePersistence: true },
);

/**
 * The block that a node adds to the state it shows while it knows no elected cluster manager; never part of the
 * replicated state. `setting` is the value of `cluster.no_cluster_manager_block`, which selects the refused levels.
 */
export function noClusterManagerBlock(setting: string): ClusterBlock {
  const levels: Readonly<Record<string, readonly BlockLevel[]>> = {
    all: ["read", "write", "metadata_read", "metadata_write"],
    write: ["write", "metadata_write"],
  };
  return block(2, "no cluster-manager", lookup(levels, setting) ?? ["metadata_write"], unavailable);
}

/** Block 4, which a closed index has. */
export const indexClosedBlock: ClusterBlock = block(4, "index closed", ["read", "write"]);

/** Block 4 in the form that refuses only writes, for an index between the two steps of `close-index`. */
export const indexClosingBlock: ClusterBlock = block(
  4,
  "index preparing to close. Reopen the index to allow writes again or retry closing the index to fully close the index.",
  ["write"],
);

const clusterReadOnlyBlock = block(6, "cluster read-only (api)", ["write", "metadata_write"]);
const clusterReadOnlyAllowDeleteBlock = block(
  13,
  "cluster read-only / allow delete (api)",
  ["write", "metadata_write"],
  { allowsReleasingResources: true },
);
const createIndexBlock = block(10, "cluster create-index blocked (api)", ["create_index"]);

/** Blocks of an index, by the setting that adds them. */
export const settingBlocks: readonly {
  readonly setting: keyof IndexSettingValues;
  readonly block: ClusterBlock;
}[] = [
  {
    setting: "index.blocks.read_only",
    block: block(5, "index read-only (api)", ["write", "metadata_write"]),
  },
  { setting: "index.blocks.read", block: block(7, "index read (api)", ["read"]) },
  { setting: "index.blocks.write", block: block(8, "index write (api)", ["write"]) },
  {
    setting: "index.blocks.metadata",
    block: block(9, "index metadata (api)", ["metadata_write", "metadata_read"]),
  },
  {
    setting: "index.blocks.read_only_allow_delete",
    block: block(
      12,
      "disk usage exceeded flood-stage watermark, index has read-only-allow-delete block",
      ["write", "metadata_write"],
      { status: "TOO_MANY_REQUESTS", allowsReleasingResources: true },
    ),
  },
];

/** Blocks of an index, by ascending id: those derived from its settings and its state, and those in `current` that come from elsewhere. */
export function blocksOfIndex(
  metadata: IndexMetadata,
  current: readonly ClusterBlock[] = [],
): readonly ClusterBlock[] {
  const managed = new Set([4, ...settingBlocks.map(({ block: { id } }) => id)]);
  const isClosing = current.some((held) => held === indexClosingBlock || isClosingBlock(held));
  const fromState =
    metadata.state === "close" ? [indexClosedBlock] : isClosing ? [indexClosingBlock] : [];
  const fromSettings = settingBlocks
    .filter(({ setting }) => indexSetting(metadata, setting) === true)
    .map(({ block: raised }) => raised);
  const others = current.filter(({ id }) => !managed.has(id));
  return [...fromState, ...fromSettings, ...others].toSorted((a, b) => a.id - b.id);
}

/** Whether the block is that of an index being closed. Its id is that of a closed index, but it refuses only writes. */
export function isClosingBlock({ id, levels }: ClusterBlock): boolean {
  return id === indexClosingBlock.id && levels.length === 1;
}

/** `blocks` with `held` as those of the index; the same object when nothing changes. */
export function withIndexBlocks(
  blocks: ClusterBlocks,
  index: string,
  held: readonly ClusterBlock[],
): ClusterBlocks {
  const current = blocks.indices.get(index) ?? [];
  const isSame = current.length === held.length && current.every((one, i) => one === held[i]);
  if (isSame) return blocks;
  const indices = new Map(blocks.indices);
  if (held.length === 0) indices.delete(index);
  else indices.set(index, held);
  return { ...blocks, indices };
}

/** The state with the global blocks that its cluster settings demand; the same state when nothing changes. */
export function withSettingBlocks(state: ClusterState): ClusterState {
  const rules = [
    { key: "cluster.blocks.read_only", block: clusterReadOnlyBlock },
    { key: "cluster.blocks.read_only_allow_delete", block: clusterReadOnlyAllowDeleteBlock },
    { key: "cluster.blocks.create_index", block: createIndexBlock },
  ] as const;
  const others = state.blocks.global.filter(
    ({ id }) => !rules.some((rule) => rule.block.id === id),
  );
  const raised = rules.filter(({ key }) => clusterSetting(state, key)).map((rule) => rule.block);
  const global = [...others, ...raised].toSorted((a, b) => a.id - b.id);
  const isSame =
    global.length === state.blocks.global.length &&
    global.every((one, i) => one.id === state.blocks.global[i]?.id);
  return isSame ? state : { ...state, blocks: { ...state.blocks, global } };
}

/** The `cluster_block_exception` for an operation of `level`, on the cluster or on the named indices; undefined when it is allowed. */
export function checkBlock(
  state: ClusterState,
  level: BlockLevel,
  index?: string | readonly string[],
): Problem | undefined {
  const indices = index === undefined ? [] : typeof index === "string" ? [index] : index;
  return blockProblem(state.blocks, level, indices, () => true);
}

/**
 * The `cluster_block_exception` for a deletion of indices; undefined when it is allowed. Blocks that allow the release
 * of resources do not count.
 */
export function checkBlockForRelease(
  state: ClusterState,
  indices: readonly string[],
): Problem | undefined {
  return blockProblem(
    state.blocks,
    "metadata_write",
    indices,
    ({ allowsReleasingResources }) => !allowsReleasingResources,
  );
}

/**
 * The problem for an operation that some block refuses, among those for which `counts` is true; undefined when none
 * refuses it.
 */
export function blockProblem(
  blocks: ClusterBlocks,
  level: BlockLevel,
  indices: readonly string[],
  counts: (held: ClusterBlock) => boolean,
): Problem | undefined {
  // Fast path: most states have no block at all.
  if (blocks.global.length === 0 && blocks.indices.size === 0) return undefined;
  const refusing = (held: readonly ClusterBlock[]): readonly ClusterBlock[] =>
    held.filter((one) => one.levels.includes(level) && counts(one));
  const global = refusing(blocks.global);
  const blocked = indices
    .map((name) => ({ name, held: [...global, ...refusing(blocks.indices.get(name) ?? [])] }))
    .filter(({ held }) => held.length > 0);
  if (global.length === 0 && blocked.length === 0) return undefined;
  const all = [...global, ...blocked.flatMap(({ held }) => held)];
  const indexTexts = blocked.map(
    ({ name, held }) => `index [${name}] blocked by: [${held.map(describe).join(", ")}];`,
  );
  const globalText = `blocked by: ${global.map((held) => `[${describe(held)}];`).join("")}`;
  const isCreateIndex = all.every(({ id }) => id === createIndexBlock.id);
  return {
    type: isCreateIndex ? "index_create_block_exception" : "cluster_block_exception",
    reason: indexTexts.length === 0 || isCreateIndex ? globalText : indexTexts.join(""),
    status: statusOf(all),
    ...(all.every(({ isRetryable }) => isRetryable) ? { isRetryable: true } : {}),
  };
}

function describe({ status, id, description }: ClusterBlock): string {
  return `${status}/${id}/${description}`;
}

/** HTTP status of several blocks (`ClusterBlockException.status`): 429 if all are flood-stage blocks, else 503 if any is of an unavailable service, else 403. */
function statusOf(blocks: readonly ClusterBlock[]): number {
  const has = (status: ClusterBlock["status"]): boolean =>
    blocks.some((held) => held.status === status);
  const onlyFlood = blocks.every(({ status }) => status === "TOO_MANY_REQUESTS");
  if (onlyFlood) return 429;
  return has("SERVICE_UNAVAILABLE") ? 503 : 403;
}
