/** What can become of a file that nobody looks at: as data, and done to bytes. */
import type { Random } from "@orrery/stdx";

const ways = ["flip", "zeros", "cut", "empty", "lost", "older", "other"] as const;

export interface Harm {
  readonly how: (typeof ways)[number];
  /** Which file and where in it, in millionths of all that there are. */
  readonly file: number;
  readonly at: number;
  readonly bit: number;
}

export interface Versions {
  /** What the file held some time ago. */
  readonly older: Uint8Array | undefined;
  /** Another file of its kind. */
  readonly other: Uint8Array | undefined;
}

const MILLION = 1_000_000;
/** Of a torn page. */
const pageBytes = 512;

export function drawHarm(random: Random): Harm {
  // Flips are the most of it: there are as many places for them as bits.
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

/** `undefined`: the file is gone. The same bytes when there is nothing to do it with. */
export function harmed(given: Uint8Array, harm: Harm, versions: Versions): Uint8Array | undefined {
  // A `Buffer` would answer `slice` with a view.
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

/** The plainest first. */
export function* shrinkHarm(harm: Harm): Iterable<Harm> {
  if (harm.how !== "flip") return;
  if (harm.bit !== 0) yield { ...harm, bit: 0 };
}

export function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
