/**
 * Entries and states as bytes: a format byte, then JSON. Maps become lists of pairs; a big integer inside a
 * mapping or custom section becomes `{"$bigint": "…"}`. A member of that name that a client wrote gets one more `$` on
 * the way, so that it stays a member.
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

export function encodeEntry(entry: LogEntry): Uint8Array {
  return encode(entry);
}

export function decodeEntry(bytes: Uint8Array): LogEntry {
  return decode(bytes) as LogEntry;
}

/** The same of bytes that another node sent. Throws `OperationError` for what is no entry, or holds a task that is none. */
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

export type PlainIndexMetadata = Plain<IndexMetadata, "aliases">;

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

export function encodeState(state: ClusterState): Uint8Array {
  return encode(plainState(state));
}

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

/** Throws `OperationError` for bytes of another node that are no state. */
export function checkState(bytes: Uint8Array): void {
  checkPlainState(read(bytes));
}

export function decodeState(bytes: Uint8Array): ClusterState {
  return fullState(decode(bytes) as PlainState);
}

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

/** For a file of its own: what a node keeps of the indices it has copies of. */
export function encodeIndexMetadata(metadata: IndexMetadata): Uint8Array {
  return encode(plainIndexMetadata(metadata));
}

export function decodeIndexMetadata(bytes: Uint8Array): IndexMetadata {
  return fullIndexMetadata(decode(bytes) as PlainIndexMetadata);
}

export function plainIndexMetadata(index: IndexMetadata): PlainIndexMetadata {
  return { ...index, aliases: [...index.aliases] };
}

export function fullIndexMetadata(index: PlainIndexMetadata): IndexMetadata {
  return { ...index, aliases: new Map<string, AliasMetadata>(index.aliases) };
}

export function encode(value: unknown): Uint8Array {
  return concatBytes([Uint8Array.of(FORMAT), utf8Encode(jsonOf(value))]);
}

/** Big integers are rare, and to be asked about each value costs several times what the text does. */
function jsonOf(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return text.includes(MARK) ? JSON.stringify(value, escaped) : text;
  } catch {
    return JSON.stringify(value, escaped);
  }
}

/** Whatever it is: the sender's fault is no claim of this program. */
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

/** In the text of all that `escaped` changed, and of hardly anything else. */
const MARK = '$bigint":';

function escaped(_: string, value: unknown): unknown {
  return typeof value === "bigint"
    ? { $bigint: String(value) }
    : renamed(value, /^\$+bigint$/, (name) => `$${name}`);
}

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
