/**
 * Encoding of log entries and states (INV-STATE-1): a format byte, then JSON. Maps become lists of pairs; a big integer
 * inside a mapping or custom section becomes `{"$bigint": "…"}`. A client's own member of that name is escaped with one
 * more `$`, and unescaped when decoded.
 */
import { assert, concatBytes, OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import type { LogEntry } from "./entry.ts";
import { checkPlainState, entryProblem } from "./task-shapes.ts";
import type {
  AliasMetadata,
  ClusterState,
  CoordinationMetadata,
  IndexMetadata,
  Metadata,
} from "./types.ts";

const FORMAT = 1;

/** Bytes of a log entry. */
export function encodeEntry(entry: LogEntry): Uint8Array {
  return encode(entry);
}

/** The entry of bytes that this node has encoded or validated before. Asserts the format. */
export function decodeEntry(bytes: Uint8Array): LogEntry {
  return decode(bytes) as LogEntry;
}

/** The entry of bytes from another node. Throws `OperationError` unless it has the shape of an entry, and each task that of its kind. */
export function readEntry(bytes: Uint8Array): LogEntry {
  const entry = read(bytes);
  const problem = entryProblem(entry);
  if (problem !== undefined) throw new OperationError(problem);
  return entry as LogEntry;
}

type Pairs<Map> = Map extends ReadonlyMap<infer Key, infer Value> ? readonly [Key, Value][] : never;

type Plain<Shape, Keys extends keyof Shape> = Omit<Shape, Keys> & {
  readonly [Key in Keys]: Pairs<Shape[Key]>;
};

/** Index metadata with its maps as lists of pairs. */
export type PlainIndexMetadata = Plain<IndexMetadata, "aliases">;

/** A state with its maps as lists of pairs, as it is encoded. */
export interface PlainState extends Omit<
  ClusterState,
  "nodes" | "metadata" | "routingTable" | "blocks"
> {
  readonly nodes: Pairs<ClusterState["nodes"]>;
  readonly metadata: Omit<Metadata, "coordination" | "indices" | "customs"> & {
    readonly coordination: Plain<CoordinationMetadata, "raftIds">;
    readonly indices: readonly PlainIndexMetadata[];
    readonly customs: Pairs<Metadata["customs"]>;
  };
  readonly routingTable: Pairs<ClusterState["routingTable"]>;
  readonly blocks: Plain<ClusterState["blocks"], "indices">;
}

/** Bytes of a state. */
export function encodeState(state: ClusterState): Uint8Array {
  return encode(plainState(state));
}

/** The state with lists for maps. */
export function plainState(state: ClusterState): PlainState {
  const { metadata, blocks } = state;
  return {
    ...state,
    nodes: [...state.nodes],
    metadata: {
      ...metadata,
      coordination: { ...metadata.coordination, raftIds: [...metadata.coordination.raftIds] },
      indices: [...metadata.indices.values()].map(plainIndexMetadata),
      customs: [...metadata.customs],
    },
    routingTable: [...state.routingTable],
    blocks: { ...blocks, indices: [...blocks.indices] },
  };
}

/** Validates bytes of a state from another node. Throws `OperationError` unless they have its shape. */
export function checkState(bytes: Uint8Array): void {
  checkPlainState(read(bytes));
}

/** The state of bytes that this node has encoded or validated before. */
export function decodeState(bytes: Uint8Array): ClusterState {
  return fullState(decode(bytes) as PlainState);
}

/** Inverse of `plainState`. */
export function fullState(plain: PlainState): ClusterState {
  const { metadata, blocks } = plain;
  return {
    ...plain,
    managerNodeId: plain.managerNodeId,
    nodes: new Map(plain.nodes),
    metadata: {
      ...metadata,
      coordination: { ...metadata.coordination, raftIds: new Map(metadata.coordination.raftIds) },
      indices: new Map(metadata.indices.map((index) => [index.name, fullIndexMetadata(index)])),
      customs: new Map(metadata.customs),
    },
    routingTable: new Map(plain.routingTable),
    blocks: { ...blocks, indices: new Map(blocks.indices) },
  };
}

/** Bytes of index metadata, for the file that a data node keeps beside its copies of the index. */
export function encodeIndexMetadata(metadata: IndexMetadata): Uint8Array {
  return encode(plainIndexMetadata(metadata));
}

/** Inverse of `encodeIndexMetadata`. */
export function decodeIndexMetadata(bytes: Uint8Array): IndexMetadata {
  return fullIndexMetadata(decode(bytes) as PlainIndexMetadata);
}

/** Index metadata with a list for its aliases. */
export function plainIndexMetadata(index: IndexMetadata): PlainIndexMetadata {
  return { ...index, aliases: [...index.aliases] };
}

/** Inverse of `plainIndexMetadata`. */
export function fullIndexMetadata(index: PlainIndexMetadata): IndexMetadata {
  return { ...index, aliases: new Map<string, AliasMetadata>(index.aliases) };
}

/** Bytes of any JSON value, big integers included. */
export function encode(value: unknown): Uint8Array {
  return concatBytes([Uint8Array.of(FORMAT), utf8Encode(jsonOf(value))]);
}

/** JSON of a value. A replacer function is used only for values that need it: it makes `JSON.stringify` several times slower. */
function jsonOf(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return text.includes(MARK) ? JSON.stringify(value, escaped) : text;
  } catch {
    return JSON.stringify(value, escaped);
  }
}

/** The decoded value of untrusted bytes. Throws `OperationError`, not an assertion: a sender's error is no bug of this node. */
function read(bytes: Uint8Array): unknown {
  if (bytes[0] !== FORMAT) throw notReadable(`format [${bytes[0]}] is unknown`);
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw notReadable("it is no JSON");
  }
}

function notReadable(why: string): OperationError {
  const reason = `malformed part of a cluster state: ${why}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}

/** A text that occurs in the JSON of every value with an escape, and in hardly any other. */
const MARK = '$bigint":';

function escaped(_: string, value: unknown): unknown {
  return typeof value === "bigint"
    ? { $bigint: String(value) }
    : renamed(value, /^\$+bigint$/, (name) => `$${name}`);
}

/** Inverse of `encode`. Asserts the format byte; throws `SyntaxError` for bytes that are no JSON. */
export function decode(bytes: Uint8Array): unknown {
  assert(bytes[0] === FORMAT, `cluster state format [${bytes[0]}] is unknown`);
  const json = utf8Decode(bytes.subarray(1));
  return json.includes(MARK) ? JSON.parse(json, unescaped) : JSON.parse(json);
}

function unescaped(_: string, value: unknown): unknown {
  const digits = isMarked(value) ? value.$bigint : undefined;
  if (typeof digits === "string") return BigInt(digits);
  return renamed(value, /^\$\$+bigint$/, (name) => name.slice(1));
}

function isMarked(value: unknown): value is { readonly $bigint: unknown } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "$bigint");
}

function renamed(value: unknown, pattern: RegExp, rename: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.keys(value).some((name) => pattern.test(name))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [pattern.test(name) ? rename(name) : name, inner]),
  );
}
