/**
 * Indices that are on this node's disk, in no cluster state, and not known to be deleted: they dangle. Told to whoever asks, and
 * taken in by themselves where `gateway.auto_import_dangling_indices` says so. Source: `DanglingIndicesState`.
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

/** What a node answers. */
export interface DanglingBody {
  readonly indices: readonly DanglingIndex[];
}

export interface DanglingOptions {
  readonly host: Host;
  readonly transport: Transport;
  readonly state: () => ClusterState;
  readonly isDeleted: (uuid: IndexUuid) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
}

/** What a node says of an index that dangles on its disk. */
export interface DanglingIndex {
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly creationDateMs: number;
  /** The copy that knows the latest metadata is the one to import. */
  readonly version: number;
  /** As it is encoded on disk, in text; only when the index was asked for by its id. */
  readonly metadata?: string;
}

/** Answers `cluster:admin/indices/dangling/list[n]`: all, or the one that is named. */
export function answerDangling(options: DanglingOptions): void {
  options.transport.handle(actions.danglingIndices, async (payload) => {
    const { uuid } = readWireObject(NodeRequest.decode(payload).parameters) as { uuid?: string };
    const found = danglingIndices(options).filter((index) => (uuid ?? index.uuid) === index.uuid);
    const body: DanglingBody = { indices: found.map((index) => told(index, uuid !== undefined)) };
    return NodeResponse.encode({ body: wireJson(body) }).finish();
  });
}

function told(index: IndexMetadata, isWhole: boolean): DanglingIndex {
  const { name, uuid, creationDateMs, version } = index;
  const metadata = isWhole ? { metadata: utf8Decode(encodeIndexMetadata(index)) } : {};
  return { name, uuid, creationDateMs, version, ...metadata };
}

function danglingIndices({ host, state, isDeleted }: DanglingOptions): readonly IndexMetadata[] {
  const now = state();
  const live = new Set<string>([...now.metadata.indices.values()].map(({ uuid }) => uuid));
  return (host.disk.list(indicesFolder) as IndexUuid[])
    .filter((uuid) => !live.has(uuid) && !isDeleted(uuid) && !hasTombstone(now, uuid))
    .flatMap((uuid) => read(host, uuid) ?? []);
}

/** A folder without readable metadata is no index that anybody could name. */
function read(host: Host, uuid: IndexUuid): IndexMetadata | undefined {
  try {
    return readIndexMetadata(host.disk, uuid);
  } catch (error) {
    if (!(error instanceof CorruptStoreError) && !(error instanceof DiskError)) throw error;
    host.log("warn", `could not read the metadata of index [${uuid}]: ${error.message}`);
    return undefined;
  }
}

/** The task that takes it in; it was asked for by its id. */
export function importOf(
  { metadata: text }: DanglingIndex,
  { random, nowMs }: { readonly random: Random; readonly nowMs: number },
): Task {
  const encoded = utf8Encode(defined(text, "metadata of a dangling index"));
  const { aliases: _, ...metadata } = decodeIndexMetadata(encoded);
  return { kind: "import-dangling-index", metadata, historyUuid: newUuid(random), nowMs };
}

/** For `onApplied`, on nodes that import by themselves. */
export function autoImport(options: DanglingOptions): (state: ClusterState) => void {
  const { host, submit } = options;
  const random = host.random("dangling");
  const asked = new Set<IndexUuid>();
  const clashes = new Set<IndexUuid>();
  let lookedAt: ClusterState["metadata"] | undefined;

  const take = async (index: IndexMetadata): Promise<void> => {
    asked.add(index.uuid);
    const task = importOf(told(index, true), { random, nowMs: host.clock.nowMs() });
    try {
      await submit(task);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      host.log("warn", `could not import [${index.name}]: ${error.message}`);
    } finally {
      asked.delete(index.uuid);
    }
  };

  /** Whoever applies a state waits for this: a disk that cannot be read is looked at again with the next one. */
  const found = (): readonly IndexMetadata[] => {
    try {
      return danglingIndices(options);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      host.log("warn", `could not look for dangling indices: ${error.message}`);
      lookedAt = undefined;
      return [];
    }
  };

  const tellClash = ({ name, uuid }: IndexMetadata): void => {
    if (clashes.has(uuid)) return;
    clashes.add(uuid);
    host.log(
      "warn",
      `[[${name}/${uuid}]] can not be imported as a dangling index, as index with same name already exists in cluster metadata`,
    );
  };

  return (state) => {
    if (state.managerNodeId === undefined) return;
    if (state.blocks.global.some((held) => held.disableStatePersistence)) return;
    if (lookedAt === state.metadata) return;
    lookedAt = state.metadata;
    for (const index of found()) {
      if (state.metadata.indices.has(index.name)) tellClash(index);
      else if (!asked.has(index.uuid)) void take(index);
    }
  };
}

/** The nodes' answers, one entry an index: where it is, and what the node with the latest metadata says. */
export function gathered(
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
