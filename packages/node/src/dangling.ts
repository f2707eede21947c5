/**
 * Dangling indices (`DanglingIndicesState`): on this node's disk, in no cluster state, and not known to be deleted.
 * They are listed on request, and imported automatically with `gateway.auto_import_dangling_indices`.
 */
import {
  decodeIndexMetadata,
  encodeIndexMetadata,
  hasTombstone,
  type ClusterState,
  type IndexMetadata,
  type Task,
} from "@orrery/cluster-state";
import { DiskError, type Host, type Transport } from "@orrery/ports";
import { actions, NodeRequest, NodeResponse, readWireObject, wireJson } from "@orrery/protocol";
import { CorruptStoreError, indicesFolder, readIndexMetadata } from "@orrery/shard-worker";
import {
  defined,
  newUuid,
  OperationError,
  utf8Decode,
  utf8Encode,
  type IndexUuid,
  type Random,
} from "@orrery/stdx";

/** A node's answer about its dangling indices. */
export interface DanglingBody {
  readonly indices: readonly DanglingIndex[];
}

/** The parts of a node that dangling indices need. */
export interface DanglingOptions {
  readonly host: Host;
  readonly transport: Transport;
  readonly state: () => ClusterState;
  readonly isDeleted: (uuid: IndexUuid) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
}

/** A dangling index on one node. */
export interface DanglingIndex {
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly creationDateMs: number;
  /** Version of the metadata: the node with the latest has the index to import. */
  readonly version: number;
  /** The metadata as encoded on disk, as text; only for an index that was requested by its uuid. */
  readonly metadata?: string;
}

/** Answers `cluster:admin/indices/dangling/list[n]`: all dangling indices, or the one that is named. */
export function answerDangling(options: DanglingOptions): void {
  options.transport.handle(actions.danglingIndices, async (payload) => {
    const { uuid } = readWireObject(NodeRequest.decode(payload).parameters) as { uuid?: string };
    const found = danglingIndices(options).filter((index) => (uuid ?? index.uuid) === index.uuid);
    const body: DanglingBody = {
      indices: found.map((index) => danglingIndexOf(index, uuid !== undefined)),
    };
    return NodeResponse.encode({ body: wireJson(body) }).finish();
  });
}

function danglingIndexOf(index: IndexMetadata, isWhole: boolean): DanglingIndex {
  const { name, uuid, creationDateMs, version } = index;
  const metadata = isWhole ? { metadata: utf8Decode(encodeIndexMetadata(index)) } : {};
  return { name, uuid, creationDateMs, version, ...metadata };
}

/** INV-DANGLING-2: deleted indices are excluded by this node's own notes and by tombstones. */
function danglingIndices({ host, state, isDeleted }: DanglingOptions): readonly IndexMetadata[] {
  const now = state();
  const live = new Set<string>([...now.metadata.indices.values()].map(({ uuid }) => uuid));
  return (host.disk.list(indicesFolder) as IndexUuid[])
    .filter((uuid) => !live.has(uuid) && !isDeleted(uuid) && !hasTombstone(now, uuid))
    .flatMap((uuid) => read(host, uuid) ?? []);
}

/** The metadata of a folder; a folder without readable metadata cannot be named, and is no index. */
function read(host: Host, uuid: IndexUuid): IndexMetadata | undefined {
  try {
    return readIndexMetadata(host.disk, uuid);
  } catch (error) {
    if (!(error instanceof CorruptStoreError) && !(error instanceof DiskError)) throw error;
    host.log("warn", `could not read the metadata of index [${uuid}]: ${error.message}`);
    return undefined;
  }
}

/**
 * The task that imports an index whose metadata was requested. Aliases are left out, and the history is a new one:
 * copies on other nodes may differ.
 */
export function importOf(
  { metadata: text }: DanglingIndex,
  { random, nowMs }: { readonly random: Random; readonly nowMs: number },
): Task {
  const encoded = utf8Encode(defined(text, "metadata of a dangling index"));
  const { aliases: _, ...metadata } = decodeIndexMetadata(encoded);
  return { kind: "import-dangling-index", metadata, historyUuid: newUuid(random), nowMs };
}

/** Returns the listener of applied states that imports dangling indices, for a node on which this is turned on. */
export function autoImport(options: DanglingOptions): (state: ClusterState) => void {
  const { host, submit } = options;
  const random = host.random("dangling");
  const submitted = new Set<IndexUuid>();
  const loggedClashes = new Set<IndexUuid>();
  let checkedFor: ClusterState["metadata"] | undefined;

  const submitImport = async (index: IndexMetadata): Promise<void> => {
    submitted.add(index.uuid);
    const task = importOf(danglingIndexOf(index, true), { random, nowMs: host.clock.nowMs() });
    try {
      await submit(task);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      host.log("warn", `could not import [${index.name}]: ${error.message}`);
    } finally {
      submitted.delete(index.uuid);
    }
  };

  /** The applier waits for this; a disk that cannot be read is read again with the next state. */
  const found = (): readonly IndexMetadata[] => {
    try {
      return danglingIndices(options);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      host.log("warn", `could not look for dangling indices: ${error.message}`);
      checkedFor = undefined;
      return [];
    }
  };

  const logNameClash = ({ name, uuid }: IndexMetadata): void => {
    if (loggedClashes.has(uuid)) return;
    loggedClashes.add(uuid);
    host.log(
      "warn",
      `[[${name}/${uuid}]] can not be imported as a dangling index, as index with same name already exists in cluster metadata`,
    );
  };

  return (state) => {
    if (state.managerNodeId === undefined) return;
    if (state.blocks.global.some((held) => held.disableStatePersistence)) return;
    if (checkedFor === state.metadata) return;
    checkedFor = state.metadata;
    for (const index of found()) {
      if (state.metadata.indices.has(index.name)) logNameClash(index);
      else if (!submitted.has(index.uuid)) void submitImport(index);
    }
  };
}

/** One entry per index, from the nodes' answers: the nodes that have it, and its latest metadata. */
export function mergeDangling(
  nodes: readonly { readonly nodeId: string; readonly body: DanglingBody }[],
): readonly { readonly index: DanglingIndex; readonly nodeIds: readonly string[] }[] {
  const byUuid = new Map<string, { index: DanglingIndex; nodeIds: string[] }>();
  for (const { nodeId, body } of nodes) {
    for (const index of body.indices) {
      const known = byUuid.get(index.uuid);
      if (known === undefined) byUuid.set(index.uuid, { index, nodeIds: [nodeId] });
      else {
        known.nodeIds.push(nodeId);
        if (index.version > known.index.version) known.index = index;
      }
    }
  }
  return [...byUuid.values()];
}
