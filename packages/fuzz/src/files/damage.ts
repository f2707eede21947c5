/** Damage to a file at rest: as data, and applied to bytes. */
import type { Random } from "@orrery/stdx";

const ways = ["flip", "zeros", "cut", "empty", "lost", "older", "other"] as const;

export interface Damage {
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

export function drawDamage(random: Random): Damage {
  // Half of the damages are bit flips, which have the most places.
  const how = random.int(0, 1) === 0 ? "flip" : random.pick(ways);
  return {
    how,
    file: random.int(0, MILLION - 1),
    at: random.int(0, MILLION - 1),
    bit: random.int(0, 7),
  };
}

/** Element at a position given in millionths of the list. */
export function pickOf<T>(all: readonly T[], millionths: number): T | undefined {
  return all[Math.floor((millionths * all.length) / MILLION)];
}

/** Damaged contents; `undefined`: the file is removed. Returns equal bytes if the damage does not apply. */
export function damaged(
  given: Uint8Array,
  damage: Damage,
  versions: Versions,
): Uint8Array | undefined {
  // `slice` of a `Buffer` would return a view of the same memory.
  const bytes = new Uint8Array(given);
  const at = Math.floor((damage.at * bytes.length) / MILLION);
  switch (damage.how) {
    case "flip": {
      if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << damage.bit);
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

export function describeDamage({ how, file, at, bit }: Damage): string {
  return `${how} at ${at}${how === "flip" ? ` bit ${bit}` : ""} of file ${file} (millionths)`;
}

/** Simpler damages, the simplest first. */
export function* shrinkDamage(damage: Damage): Iterable<Damage> {
  if (damage.how !== "flip") return;
  if (damage.bit !== 0) yield { ...damage, bit: 0 };
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
