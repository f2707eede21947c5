/**
 * Quarantine of a committed entry that this node cannot apply: its record in the store, and the list of entries that an
 * operator has the node skip.
 *
 * A quarantined node shows the state before the entry and takes no part in the Raft group. After a restart it reaches
 * the same entry, and continues if the entry is in the list, or if another version of the program can apply it.
 *
 * Skipping changes what an index means: two nodes at the same index have the same state only if they skipped the same
 * entries (INV-COORD-3). Join requests therefore carry the list, and nodes that differ are refused.
 */
import { decodeEntry } from "@orrery/cluster-state";
import type { NodeStore, StoredNode } from "@orrery/ports";
import { Proposal } from "@orrery/protocol";
import { utf8Decode, utf8Encode } from "@orrery/stdx";

const quarantineName = "quarantine";
const skippedName = "skipped_entries";

/** Place of an entry in the log. Index and term identify it (Raft's log matching property). */
export interface Position {
  readonly index: number;
  readonly term: number;
}

/** Record of an entry in quarantine. */
export interface Quarantine extends Position {
  /** Kinds of the tasks in the entry; `["unreadable"]` when it cannot be decoded. */
  readonly tasks: readonly string[];
  readonly reason: string;
}

/** The line about a quarantine for the node's log file, with the actions that an operator may take. */
export function describeQuarantine({ index, term, tasks, reason }: Quarantine): string {
  const kinds = tasks.length === 0 ? "" : ` with tasks [${tasks.join(", ")}]`;
  return `cannot apply entry [${index}] of term [${term}]${kinds} of the cluster state's log: ${reason}. This node shows the state before the entry and takes part in nothing; [orrery node repair] skips the entry, or gives up the log to hold it anew`;
}

/** The record of an entry (`data`) or of a snapshot (without) that failed with `error`. */
export function quarantineOf(
  position: Position,
  data: Uint8Array | undefined,
  error: unknown,
): Quarantine {
  const { index, term } = position;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { index, term, tasks: data === undefined ? [] : kindsIn(data), reason };
}

function kindsIn(data: Uint8Array): readonly string[] {
  try {
    return decodeEntry(Proposal.decode(data).entry).tasks.map(({ kind }) => kind);
  } catch {
    // The entry cannot be decoded, which is why it is in quarantine; its reason says so.
    return ["unreadable"];
  }
}

/** The record in the store; undefined without one. */
export function readQuarantine({ values }: StoredNode): Quarantine | undefined {
  const bytes = values.get(quarantineName);
  return bytes === undefined ? undefined : (JSON.parse(utf8Decode(bytes)) as Quarantine);
}

/** Writes the record of a quarantined entry; `undefined` removes the record. Resolves when the change is durable. */
export function saveQuarantine(
  store: NodeStore,
  quarantine: Quarantine | undefined,
): Promise<void> {
  const bytes = quarantine === undefined ? undefined : utf8Encode(JSON.stringify(quarantine));
  return store.write({ values: new Map([[quarantineName, bytes]]) });
}

/** Entries that a node has skipped or will skip, and its applied index. */
export interface PassedOver {
  readonly skipped: readonly Position[];
  readonly appliedIndex: number;
}

/** Entries that one of two nodes skips and the other has applied; with any, equal indices do not mean equal states. */
export function differentlySkipped(one: PassedOver, other: PassedOver): readonly Position[] {
  return [...appliedBy(other, one.skipped), ...appliedBy(one, other.skipped)];
}

function appliedBy(
  { skipped, appliedIndex }: PassedOver,
  positions: readonly Position[],
): readonly Position[] {
  return positions.filter(
    ({ index, term }) =>
      index <= appliedIndex && !skipped.some((own) => own.index === index && own.term === term),
  );
}

/** Positions as a join request carries them: index and term in turn. */
export function flatPositions(positions: readonly Position[]): readonly number[] {
  return positions.flatMap(({ index, term }) => [index, term]);
}

/** Inverse of `flatPositions`; an odd last number is dropped. */
export function readPositions(flat: readonly number[]): readonly Position[] {
  const positions: Position[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2)
    positions.push({ index: flat[i] ?? 0, term: flat[i + 1] ?? 0 });
  return positions;
}

/** Entries that an operator has this node skip, from the store. Every other node must skip them, too. */
export function readSkipped({ values }: StoredNode): readonly Position[] {
  const bytes = values.get(skippedName);
  return bytes === undefined ? [] : (JSON.parse(utf8Decode(bytes)) as Position[]);
}

/** Values to write to the store so that one more entry is skipped; they end the quarantine. */
export function skippedValues(
  stored: StoredNode,
  { index, term }: Position,
): ReadonlyMap<string, Uint8Array | undefined> {
  const skipped = [...readSkipped(stored), { index, term }];
  return new Map([
    [skippedName, utf8Encode(JSON.stringify(skipped))],
    [quarantineName, undefined],
  ]);
}
