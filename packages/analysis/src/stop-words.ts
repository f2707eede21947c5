/** Lists of stop words: those that settings name (`_english_`, `_none_`), and the setting that names or lists words. */
import { readList, refuseFile, type Definition } from "./settings.ts";

/** Lucene's `EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`. */
export const ENGLISH_STOP_WORDS: readonly string[] = [
  ..."a an and are as at be but by for if in into is it no not of on or such".split(" "),
  ..."that the their then there these they this to was will with".split(" "),
];

const LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["_english_", ENGLISH_STOP_WORDS],
  ["_none_", []],
]);

/**
 * The words under `key`; a name in underscores is replaced by its list. Without the key a
 * setting that names a file of words is refused, and `fallback` applies.
 */
export function readStopWords(
  definition: Definition,
  key: string,
  fallback: readonly string[],
): readonly string[] {
  const listed = readList(definition, key);
  if (listed === undefined) refuseFile(definition, `${key}_path`);
  return listed === undefined ? fallback : listed.flatMap((word) => LISTS.get(word) ?? [word]);
}
