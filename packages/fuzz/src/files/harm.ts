/** Damage to a file at rest: as data, and applied to bytes. */
import type { Random } from "@orrery/stdx";

const ways = ["flip", "zeros", "cut", "empty", "lost", "older", "other"] as const;

export interface Harm {
  readonly how: (typeof ways)[number];
  /** File and place in it, in millionths of all files and bytes. */
  readonly file: number;
  readonly at: number;
  readonly bit: number;
}

export interface Versions {
  /** Earlier contents of the file. */
  readonly older: Uint8Array | undefined;
  /** Contents of another file of the same kind. */
  readonly other: Uint8Array | undefined;
}

const MILLION = 1_000_000;
/** Size of a torn page. */
const pageBytes = 512;

export function drawHarm(random: Random): Harm {
  // Half of the damages are bit flips, which have the most places.
  const how = random.int(0, 1) === 0 ? "flip" : random.pick(ways);
  return {
    how,
    file: random.int(0, MILLION - 1),
    at: random.int(0, MILLION - 1),
    bit: random.int(0, 7),
  };
}

export function pickOf<T>(all: readonly T[], millionths: number): T | undefined {
  return all[Math.floor((millionths * all.length) / MILLION)];
}

/** Damaged contents; `undefined`: the file is removed. Returns equal bytes if the damage does not apply. */
export function harmed(given: Uint8Array, harm: Harm, versions: Versions): Uint8Array | undefined {
  // `slice` of a `Buffer` would return a view of the same memory.
  const bytes = new Uint8Array(given);
  const at = Math.floor((harm.at * bytes.length) / MILLION);
  switch (harm.how) {
    case "flip": {
      if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << harm.bit);
      return bytes;
    }
    case "zeros":
      return bytes.fill(0, at - (at % pageBytes), at - (at % pageBytes) + pageBytes);
    case "cut":
      return bytes.slice(0, at);
    case "empty":
      return new Uint8Array(0);
    case "lost":
      return undefined;
    case "older":
      return versions.older ?? bytes;
    case "other":
      return versions.other ?? bytes;
  }
}

export function describeHarm({ how, file, at, bit }: Harm): string {
  return `${how} at ${at}${how === "flip" ? ` bit ${bit}` : ""} of file ${file} (millionths)`;
}

/** Simpler damages, the simplest first. */
export function* shrinkHarm(harm: Harm): Iterable<Harm> {
  if (harm.how !== "flip") return;
  if (harm.bit !== 0) yield { ...harm, bit: 0 };
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
