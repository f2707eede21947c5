/**
 * Encoding of a case, with the earlier ones of its session, as a word of a command line. Short and harmless ones are
 * JSON; others are compressed.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "@orrery/stdx";
import type { SessionOptions } from "./target.ts";
import type { TargetName } from "./targets/table.ts";

const LONGEST_PLAIN = 1000;
const PACKED = "z:";
/** Limit of one argument on Linux. */
const LONGEST_WORD = 128 * 1024 - 1;
const LARGEST_BYTES = 256 * 1024 * 1024;

/** Word of the cases; the last one shows the finding. */
export function writeCases(cases: readonly Json[]): string {
  const text = JSON.stringify(cases);
  const isPlain =
    text.length <= LONGEST_PLAIN && /^[\x20-\x7e]*$/.test(text) && !text.includes("'");
  return isPlain ? text : PACKED + deflateRawSync(text, { level: 9 }).toString("base64url");
}

/** Cases of a word; `undefined` if it is no such word. */
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

/** Command that replays the cases; `undefined` if it exceeds the limit of a shell. */
export function replayLine(
  target: TargetName,
  session: SessionOptions,
  cases: readonly Json[],
): string | undefined {
  const word = writeCases(cases);
  return word.length > LONGEST_WORD
    ? undefined
    : `${commandOf(target, session)} --replay '${word}'`;
}

/** Command that runs a range of cases again, as they were drawn. */
export function rangeLine(
  target: TargetName,
  session: SessionOptions & { readonly from: number },
  count: number,
): string {
  return `${commandOf(target, session)} --from ${session.from} --cases ${count}`;
}

function commandOf(target: TargetName, session: SessionOptions): string {
  const { world, nodes, seed, oracle, inFlight } = session;
  const more = [
    ...(oracle === undefined ? [] : [`--with-oracle ${oracle}`]),
    ...(world === "sim" || inFlight === undefined ? [] : [`--in-flight ${inFlight}`]),
  ];
  return [
    `npm run fuzz -- --target ${target} --world ${world} --nodes ${nodes} --seed ${seed}`,
    ...more,
  ].join(" ");
}
