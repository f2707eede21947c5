/**
 * Encoded difference of two slices of the cluster state, for shard workers: the cost of a version is proportional to
 * its changes.
 *
 * Differences are found by object identity, since states share their unchanged parts. A difference applies only to the
 * slice that it was made from; nodes, indices and shards that it does not contain stay the same objects.
 */
import { assert, defined } from "@orrery/stdx";
import {
  decode,
  encode,
  fullIndexMetadata,
  fullState,
  plainIndexMetadata,
  plainState,
  type PlainIndexMetadata,
  type PlainState,
} from "./codec.ts";
import type {
  ClusterBlock,
  ClusterState,
  DiscoveryNode,
  IndexMetadata,
  IndexRoutingTable,
  ShardRouting,
} from "./types.ts";

/** Difference of a map: removed keys, keys with a new value, and keys whose value changed in part. */
interface MapChange<Value, Part = never> {
  readonly gone: readonly string[];
  readonly set: readonly (readonly [string, Value])[];
  readonly parts: readonly (readonly [string, Part])[];
  /** All keys in order, unless the new ones simply follow the others. */
  readonly order?: readonly string[];
}

/** Difference of a list of the same length: elements by position. */
type ListChange<Value> = readonly (readonly [number, Value])[];

/** Difference of index metadata in which only the copies of shards changed, the most frequent kind of change. */
interface IndexPart {
  readonly version: number;
  readonly primaryTerms: ListChange<number>;
  readonly inSyncAllocationIds: ListChange<IndexMetadata["inSyncAllocationIds"][number]>;
}

type TablePart = ListChange<readonly ShardRouting[]>;

interface PlainChange {
  readonly from: number;
  /** The whole state without the maps below. */
  readonly head: PlainState;
  readonly nodes: MapChange<DiscoveryNode>;
  readonly indices: MapChange<PlainIndexMetadata, IndexPart>;
  readonly routingTable: MapChange<IndexRoutingTable, TablePart>;
  readonly blocks: MapChange<readonly ClusterBlock[]>;
}

/** Encodes the difference from the slice `before` to the slice `after`. */
export function encodeSliceChange(before: ClusterState, after: ClusterState): Uint8Array {
  const head: ClusterState = {
    ...after,
    nodes: new Map(),
    metadata: { ...after.metadata, indices: new Map() },
    routingTable: new Map(),
    blocks: { ...after.blocks, indices: new Map() },
  };
  const change: PlainChange = {
    from: before.version,
    head: plainState(head),
    nodes: changeOf(before.nodes, after.nodes),
    indices: changeOf(before.metadata.indices, after.metadata.indices, {
      plain: plainIndexMetadata,
      part: indexPart,
    }),
    routingTable: changeOf(before.routingTable, after.routingTable, {
      plain: (table) => table,
      part: tablePart,
    }),
    blocks: changeOf(before.blocks.indices, after.blocks.indices),
  };
  return encode(change);
}

/** The slice after a difference; asserts that `before` has the version from which it was made. */
export function applySliceChange(before: ClusterState, bytes: Uint8Array): ClusterState {
  const change = decode(bytes) as PlainChange;
  assert(change.from === before.version, "a change applies to the slice that it was made from");
  const head = fullState(change.head);
  return {
    ...head,
    nodes: changed(before.nodes, change.nodes),
    metadata: {
      ...head.metadata,
      indices: changed(before.metadata.indices, change.indices, {
        full: fullIndexMetadata,
        withPart: withIndexPart,
      }),
    },
    routingTable: changed(before.routingTable, change.routingTable, {
      full: (table) => table,
      withPart: withTablePart,
    }),
    blocks: { ...head.blocks, indices: changed(before.blocks.indices, change.blocks) },
  };
}

interface Encoding<Value, Plain, Part> {
  readonly plain: (value: Value) => Plain;
  /** Undefined when the value must be sent whole. */
  readonly part: (before: Value, after: Value) => Part | undefined;
}

function changeOf<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): MapChange<Value>;
function changeOf<Value, Plain, Part>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  encoding: Encoding<Value, Plain, Part>,
): MapChange<Plain, Part>;
function changeOf<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  { plain, part }: Encoding<Value, unknown, unknown> = { plain: asItIs, part: () => undefined },
): MapChange<unknown, unknown> {
  if (before === after) return { gone: [], set: [], parts: [] };
  const set: [string, unknown][] = [];
  const parts: [string, unknown][] = [];
  for (const [key, value] of after) {
    const earlier = before.get(key);
    if (earlier === value) continue;
    const ofEarlier = earlier === undefined ? undefined : part(earlier, value);
    if (ofEarlier === undefined) set.push([key, plain(value)]);
    else parts.push([key, ofEarlier]);
  }
  const kept = [...before.keys()].filter((key) => after.has(key));
  const gone =
    kept.length === before.size ? [] : [...before.keys()].filter((key) => !after.has(key));
  const keys = [...after.keys()];
  const isInOrder = kept.every((key, place) => key === keys[place]);
  return { gone, set, parts, ...(isInOrder ? {} : { order: keys }) };
}

function asItIs(value: unknown): unknown {
  return value;
}

interface Decoding<Value, Plain, Part> {
  readonly full: (plain: Plain) => Value;
  readonly withPart: (before: Value, part: Part) => Value;
}

function changed<Key extends string, Value>(
  before: ReadonlyMap<Key, Value>,
  change: MapChange<Value>,
): ReadonlyMap<Key, Value>;
function changed<Key extends string, Value, Plain, Part>(
  before: ReadonlyMap<Key, Value>,
  change: MapChange<Plain, Part>,
  decoding: Decoding<Value, Plain, Part>,
): ReadonlyMap<Key, Value>;
function changed(
  before: ReadonlyMap<string, unknown>,
  { gone, set, parts, order }: MapChange<unknown, unknown>,
  { full, withPart }: Decoding<unknown, unknown, unknown> = { full: asItIs, withPart: asItIs },
): ReadonlyMap<string, unknown> {
  const isSame = gone.length + set.length + parts.length === 0 && order === undefined;
  if (isSame) return before;
  const next = new Map(before);
  for (const key of gone) next.delete(key);
  for (const [key, value] of set) next.set(key, full(value));
  for (const [key, part] of parts) next.set(key, withPart(defined(next.get(key), key), part));
  return order === undefined ? next : new Map(order.map((key) => [key, next.get(key)]));
}

const changingFields: ReadonlySet<string> = new Set<keyof IndexMetadata>([
  "version",
  "primaryTerms",
  "inSyncAllocationIds",
]);

function indexPart(before: IndexMetadata, after: IndexMetadata): IndexPart | undefined {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const later = Object.entries(after);
  const isOther = ([key, value]: readonly [string, unknown]): boolean =>
    earlier.get(key) !== value && !changingFields.has(key);
  if (later.length !== earlier.size || later.some(isOther)) return undefined;
  const primaryTerms = listChange(before.primaryTerms, after.primaryTerms);
  const inSyncAllocationIds = listChange(before.inSyncAllocationIds, after.inSyncAllocationIds);
  if (primaryTerms === undefined || inSyncAllocationIds === undefined) return undefined;
  return { version: after.version, primaryTerms, inSyncAllocationIds };
}

function withIndexPart(before: IndexMetadata, part: IndexPart): IndexMetadata {
  return {
    ...before,
    version: part.version,
    primaryTerms: withElements(before.primaryTerms, part.primaryTerms),
    inSyncAllocationIds: withElements(before.inSyncAllocationIds, part.inSyncAllocationIds),
  };
}

function tablePart(before: IndexRoutingTable, after: IndexRoutingTable): TablePart | undefined {
  return before.uuid === after.uuid ? listChange(before.shards, after.shards) : undefined;
}

function withTablePart(before: IndexRoutingTable, part: TablePart): IndexRoutingTable {
  return { ...before, shards: withElements(before.shards, part) };
}

/** The difference of two lists; undefined when their lengths differ. */
function listChange<Value>(
  before: readonly Value[],
  after: readonly Value[],
): ListChange<Value> | undefined {
  if (before.length !== after.length) return undefined;
  return after.flatMap((value, place) =>
    value === before[place] ? [] : [[place, value] as const],
  );
}

function withElements<Value>(
  before: readonly Value[],
  change: ListChange<Value>,
): readonly Value[] {
  if (change.length === 0) return before;
  const next = [...before];
  for (const [place, value] of change) next[place] = value;
  return next;
}
