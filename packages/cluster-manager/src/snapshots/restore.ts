/**
 * Begin of restores (`RestoreService`): selects the indices, reads their metadata, applies renames, settings and aliases,
 * and submits `restore-snapshot`. The allocator then places the shards with a snapshot as their recovery source.
 */
import {
  archiveInvalidSettings,
  flattenSettings,
  indexSetting,
  parseBoolean,
  restoresOf,
  type DataStream,
  type PlainIndexMetadata,
  type RestoredDataStream,
  type RestoredIndex,
  type Settings,
  type SettingsChange,
  type SettingTable,
} from "@orrery/cluster-state";
import { indicesOf, snapshotNamed, type IndexRecord, type SnapshotInfo } from "@orrery/repository";
import {
  type IndexUuid,
  type JsonObject,
  matchesGlob,
  newUuid,
  OperationError,
  replaceAllJava,
} from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";
import { filterNames, lenient } from "./filter-names.ts";
import { dataStreamsIn, restoredGlobal } from "./global-metadata.ts";
import { indexMetadataError, infoError } from "./read.ts";
import type { LoadedRepository } from "./repositories.ts";
import { metadataBlobId } from "./status.ts";

/** Parameters of a restore. */
export interface RestoreSnapshotRequest {
  readonly repository: string;
  readonly snapshot: string;
  /** Uuid of the restore, drawn by the requesting node: it identifies retries (INV-SNAP-9). */
  readonly uuid: string;
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
  readonly allowNoIndices: boolean;
  readonly renamePattern?: string;
  readonly renameReplacement?: string;
  readonly renameAliasPattern?: string;
  readonly renameAliasReplacement?: string;
  readonly includeGlobalState: boolean;
  readonly includeAliases: boolean;
  readonly partial: boolean;
  readonly indexSettings: JsonObject;
  readonly ignoreIndexSettings: readonly string[];
}

/** Begins the restore; answers with `{ snapshot, indices }`, without `indices` for a retry of a restore that has ended. */
export async function restoreSnapshot(
  deps: SnapshotDeps,
  request: RestoreSnapshotRequest,
): Promise<JsonObject> {
  const { repository: name, snapshot, uuid } = request;
  // INV-SNAP-9: a retry of a restore that runs, or has ended, must not begin another one.
  const known = restoresOf(deps.applied()).find((entry) => entry.uuid === uuid);
  if (known !== undefined) return { snapshot, indices: known.indices };
  const taskId = `restore-snapshot ${uuid}`;
  if (deps.wasApplied(taskId)) return { snapshot };
  const loaded = await deps.repositories.load(deps.applied, name);
  const record = snapshotNamed(loaded.data, snapshot);
  if (record === undefined) throw refused(`${name}:${snapshot}`, "snapshot does not exist");
  const info = await loaded.repository.readInfo(record.uuid).catch((error: unknown) => {
    throw infoError(name, record, error);
  });
  const place = `${name}:${snapshot}/${record.uuid}`;
  if (info.state === "FAILED") throw refused(place, `unsupported snapshot state [${info.state}]`);
  // Data streams are resolved first: their names stand for backing indices, and their definitions are in the global
  // metadata, which is read even without `include_global_state` then.
  const held = indicesOf(loaded.data, record.uuid);
  const streams = filterNames(info.dataStreams, request.indices, lenient);
  const keepsGlobal = info.includeGlobalState || info.dataStreams.length > 0;
  const isGlobalWanted = streams.length > 0 || request.includeGlobalState;
  const kept =
    keepsGlobal && isGlobalWanted
      ? await loaded.repository.readGlobal(record.uuid).catch((error: unknown) => {
          throw infoError(name, record, error, "failed to read global metadata");
        })
      : {};
  const dataStreams = dataStreamsIn(kept).filter(({ name: stream }) => streams.includes(stream));
  const backing = new Set(
    dataStreams.flatMap(({ indices }) => indices.map(({ index_name: index }) => index)),
  );
  const names = filterNames(
    held.map((index) => index.name),
    wantedIndices(request.indices, dataStreams, backing),
    request,
  );
  // Renames are checked for collisions among themselves here, and against existing indices by the reducer.
  const renamed = renamedIndices(request, names, backing);
  const indices: RestoredIndex[] = [];
  for (const index of held.filter((one) => names.includes(one.name))) {
    const target = renamed.get(index.name) ?? index.name;
    indices.push(await restoredIndex(deps, { request, loaded, info, place }, index, target));
  }
  const global = request.includeGlobalState
    ? restoredGlobal(info.includeGlobalState ? kept : {})
    : undefined;
  if (indices.length > 0 || global !== undefined) {
    await deps.submitOnce(taskId, {
      kind: "restore-snapshot",
      uuid,
      repository: name,
      snapshot,
      snapshotUuid: record.uuid,
      indices,
      dataStreams: dataStreams.map((stream) => restoredStream(request, stream, renamed)),
      ...(global === undefined ? {} : { global }),
      nowMs: deps.host.clock.nowMs(),
    });
  }
  return { snapshot, indices: indices.map(({ metadata }) => metadata.name) };
}

/** The `snapshot_restore_exception` for a restore at a place, such as `repository:snapshot`. */
export function refused(place: string, what: string): OperationError {
  return new OperationError({
    type: "snapshot_restore_exception",
    reason: `[${place}] ${what}`,
    status: 500,
  });
}

/** The requested indices, with data streams replaced by their backing indices. */
function wantedIndices(
  wanted: readonly string[],
  streams: readonly DataStream[],
  backing: ReadonlySet<string>,
): readonly string[] {
  if (wanted.length === 0) return wanted;
  const others = wanted.filter((name) => !streams.some((stream) => stream.name === name));
  return [...others, ...backing];
}

/** A data stream under its new name, with its backing indices under theirs. */
function restoredStream(
  { renamePattern, renameReplacement }: RestoreSnapshotRequest,
  stream: DataStream,
  renamed: ReadonlyMap<string, string>,
): RestoredDataStream {
  return {
    name: replaced(stream.name, renamePattern, renameReplacement),
    timestampField: stream.timestamp_field.name,
    indices: stream.indices.map(({ index_name: name }) => renamed.get(name) ?? name),
    generation: stream.generation,
  };
}

const backingPrefix = ".ds-";

/** New name of an index. For a backing index the pattern applies to the name behind the prefix `.ds-`. */
function renamedIndex(request: RestoreSnapshotRequest, name: string, isBacking: boolean): string {
  const { renamePattern, renameReplacement } = request;
  const prefix = isBacking && name.startsWith(backingPrefix) ? backingPrefix : "";
  return prefix + replaced(name.slice(prefix.length), renamePattern, renameReplacement);
}

/** New names by old ones. Throws when two indices would get the same name. */
function renamedIndices(
  request: RestoreSnapshotRequest,
  names: readonly string[],
  backing: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const { repository, snapshot } = request;
  const taken = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const name of names) {
    const target = renamedIndex(request, name, backing.has(name));
    const other = taken.get(target);
    if (other !== undefined) {
      throw refused(
        `${repository}:${snapshot}`,
        `indices [${name}] and [${other}] are renamed into the same index [${target}]`,
      );
    }
    taken.set(target, name);
    renamed.set(name, target);
  }
  return renamed;
}

/** The name after Java's `replaceAll`; unchanged unless both pattern and replacement are given. */
function replaced(
  name: string,
  pattern: string | undefined,
  replacement: string | undefined,
): string {
  if (pattern === undefined || replacement === undefined) return name;
  return replaceAllJava(name, pattern, replacement);
}

/** Context of the restored indices. */
interface Restoring {
  readonly request: RestoreSnapshotRequest;
  readonly loaded: LoadedRepository;
  readonly info: SnapshotInfo;
  readonly place: string;
}

/** An index with its metadata for the restore: a new uuid, open, and with changed settings. */
async function restoredIndex(
  deps: SnapshotDeps,
  { request, loaded, info, place }: Restoring,
  index: IndexRecord,
  target: string,
): Promise<RestoredIndex> {
  const missingShards = info.failures.flatMap((failure) =>
    failure.index === index.name ? [failure.shard] : [],
  );
  if (missingShards.length > 0 && !request.partial) {
    throw refused(place, `index [${index.name}] wasn't fully snapshotted - cannot restore`);
  }
  const blobId = metadataBlobId(loaded.data, info.uuid, index);
  if (blobId === undefined) {
    throw refused(place, `the metadata of index [${index.name}] is not in the repository`);
  }
  const { repository } = loaded;
  const stored = (await repository.readIndexMetadata(index, blobId).catch((error: unknown) => {
    throw indexMetadataError(repository.name, info, error);
  })) as PlainIndexMetadata;
  const uuid = newUuid(deps.random) as IndexUuid;
  const changed = changedSettings(request, stored.settings, {
    place,
    known: deps.rules.settings.index,
  });
  const settings: Settings = { ...changed, "index.uuid": uuid };
  return {
    source: index.name,
    id: index.id,
    pathType: index.pathType,
    missingShards,
    ...(request.includeAliases ? {} : { keepsAliases: true }),
    metadata: {
      ...stored,
      name: target,
      uuid,
      state: "open",
      settings,
      numberOfReplicas: indexSetting({ settings }, "index.number_of_replicas"),
      aliases: request.includeAliases
        ? stored.aliases.map(([alias, metadata]) => [
            replaced(alias, request.renameAliasPattern, request.renameAliasReplacement),
            metadata,
          ])
        : [],
    },
  };
}

/** Settings that a restore may neither change nor remove. */
const unmodifiable: ReadonlySet<string> = new Set([
  "index.number_of_shards",
  "index.version.created",
  "index.uuid",
  "index.history.uuid",
]);
const remoteStore: readonly string[] = [
  "index.remote_store.enabled",
  "index.remote_store.segment.repository",
  "index.remote_store.translog.repository",
];
/** Settings that a restore may not remove. */
const unremovable: ReadonlySet<string> = new Set([
  "index.number_of_replicas",
  "index.auto_expand_replicas",
  "index.version.upgraded",
  ...remoteStore,
]);

/** Stored settings without the ignored ones, with the requested changes; a null resets a setting. Invalid ones are archived. */
function changedSettings(
  { indexSettings, ignoreIndexSettings }: RestoreSnapshotRequest,
  stored: Settings,
  { place, known }: { readonly place: string; readonly known: SettingTable },
): Settings {
  const changes = Object.entries(flattenSettings(indexSettings, "index."));
  checkSettings(changes, ignoreIndexSettings, place);
  const isIgnored = (key: string): boolean =>
    !unmodifiable.has(key) &&
    !unremovable.has(key) &&
    ignoreIndexSettings.some((pattern) => matchesGlob(pattern, key));
  const reset = new Set(changes.flatMap(([key, value]) => (value === null ? [key] : [])));
  const kept = Object.entries(stored).filter(([key]) => !isIgnored(key) && !reset.has(key));
  const set = changes.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  const { "index.verified_before_close": _, ...settings } = Object.fromEntries([...kept, ...set]);
  return archiveInvalidSettings(known, settings);
}

/** Throws for a change or removal that is not allowed, in the product's order of checks. */
function checkSettings(
  changes: readonly (readonly [string, SettingsChange[string] | undefined])[],
  ignored: readonly string[],
  place: string,
): void {
  const keys = changes.map(([key]) => key);
  const fixed = keys.find((key) => unmodifiable.has(key));
  if (fixed !== undefined) {
    throw refused(place, `cannot modify UnmodifiableOnRestore setting [${fixed}] on restore`);
  }
  const remote = keys.find((key) => remoteStore.includes(key));
  if (remote !== undefined) throw refused(place, `cannot modify setting [${remote}] on restore`);
  const softDeletes = changes.find(([key]) => key === "index.soft_deletes.enabled")?.[1];
  if (typeof softDeletes === "string" && !parseBoolean(softDeletes)) {
    throw refused(place, "cannot disable setting [index.soft_deletes.enabled] on restore");
  }
  for (const key of ignored) {
    if (unmodifiable.has(key)) {
      throw refused(place, `cannot remove UnmodifiableOnRestore setting [${key}] on restore`);
    }
    if (unremovable.has(key)) throw refused(place, `cannot remove setting [${key}] on restore`);
  }
}
