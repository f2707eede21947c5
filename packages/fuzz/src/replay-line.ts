/**
 * A case, with those that came before it in its session, as a word of a command line. Short and harmless ones stand there as
 * JSON; others are packed.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "@orrery/stdx";
import type { SessionOptions } from "./target.ts";
import type { TargetName } from "./targets/table.ts";

const LONGEST_PLAIN = 1000;
const PACKED = "z:";
const LARGEST_BYTES = 256 * 1024 * 1024;

/** The last case is the one that shows it. */
export function writeCases(cases: readonly Json[]): string {
  const text = JSON.stringify(cases);
  const isPlain =
    text.length <= LONGEST_PLAIN && /^[\x20-\x7e]*$/.test(text) && !text.includes("'");
  return isPlain ? text : PACKED + deflateRawSync(text, { level: 9 }).toString("base64url");
}

/** `undefined` if it is no such word. */
export function readCases(word: string): readonly Json[] | undefined {
  try {
    const text = word.startsWith(PACKED) ? unpack(word.slice(PACKED.length)) : word;
    const cases = JSON.parse(text) as Json;
    return Array.isArray(cases) && cases.length > 0 ? (cases as readonly Json[]) : undefined;
  } catch {
    return undefined;
  }
}

function unpack(word: string): string {
  return inflateRawSync(Buffer.from(word, "base64url"), {
    maxOutputLength: LARGEST_BYTES,
  }).toString();
}

export function replayLine(
  target: TargetName,
  { world, nodes, seed, oracle }: SessionOptions,
  cases: readonly Json[],
): string {
  const where = `--target ${target} --world ${world} --nodes ${nodes} --seed ${seed}${oracle === undefined ? "" : ` --with-oracle ${oracle}`}`;
  return `npm run fuzz -- ${where} --replay '${writeCases(cases)}'`;
}
