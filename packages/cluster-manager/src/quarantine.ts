/**
 * Quarantine of a committed entry that cannot become a part of this node's state: what is kept of it, and what an operator may do.
 *
 * A quarantined node shows the state before the entry and takes part in nothing. It comes to the same entry after a restart, and
 * goes on when the entry is in the list of skipped ones, or when another version of the program can apply it.
 */
import { decodeEntry } from "@orrery/cluster-state";
import type { NodeStore, StoredNode } from "@orrery/ports";
import { Proposal } from "@orrery/protocol";
import { utf8Decode, utf8Encode } from "@orrery/stdx";

const quarantineName = "quarantine";
const skippedName = "skipped_entries";

export interface Position {
  readonly index: number;
  readonly term: number;
}

export interface Quarantine extends Position {
  /** Kinds of the tasks in the entry, as far as they can be read. */
  readonly tasks: readonly string[];
  readonly reason: string;
}

export function describeQuarantine({ index, term, tasks, reason }: Quarantine): string {
  const kinds = tasks.length === 0 ? "" : ` with tasks [${tasks.join(", ")}]`;
  return `cannot apply entry [${index}] of term [${term}]${kinds} of the cluster state's log: ${reason}. This node shows the state before the entry and takes part in nothing; [orrery node repair] skips the entry, or gives up the log to hold it anew`;
}

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
    // That it cannot be read is why it is here, and the reason says so.
    return ["unreadable"];
  }
}

export function readQuarantine({ values }: StoredNode): Quarantine | undefined {
  const bytes = values.get(quarantineName);
  return bytes === undefined ? undefined : (JSON.parse(utf8Decode(bytes)) as Quarantine);
}

export function saveQuarantine(
  store: NodeStore,
  quarantine: Quarantine | undefined,
): Promise<void> {
  const bytes = quarantine === undefined ? undefined : utf8Encode(JSON.stringify(quarantine));
  return store.write({ values: new Map([[quarantineName, bytes]]) });
}

/** Of one node: entries that it has passed over or will, and how far its state is. */
export interface PassedOver {
  readonly skipped: readonly Position[];
  readonly appliedIndex: number;
}

/**
 * Entries that one of two nodes passes over and the other has applied: their states are not the same, whatever their indices say.
 */
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

/** As a join request has them: index and term, one after the other. */
export function flatPositions(positions: readonly Position[]): readonly number[] {
  return positions.flatMap(({ index, term }) => [index, term]);
}

export function readPositions(flat: readonly number[]): readonly Position[] {
  const positions: Position[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2)
    positions.push({ index: flat[i] ?? 0, term: flat[i + 1] ?? 0 });
  return positions;
}

/** Entries that an operator has this node pass over. The others must pass over them, too: a node that does not is not let in. */
export function readSkipped({ values }: StoredNode): readonly Position[] {
  const bytes = values.get(skippedName);
  return bytes === undefined ? [] : (JSON.parse(utf8Decode(bytes)) as Position[]);
}

/** What to write so that one more entry is passed over. */
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
