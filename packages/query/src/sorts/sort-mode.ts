/** Modes of a sort, which make one value of a document's several. Source: `SortMode`. */
import { illegalArgument } from "@orrery/stdx";

/**
 * The way to make one sort value of several. `min` and `max` choose a value; the others compute
 * one, from numbers only.
 */
export type SortMode = "min" | "max" | "avg" | "sum" | "median";

const MODES: readonly SortMode[] = ["min", "max", "avg", "sum", "median"];

/**
 * Parses a sort mode, in any case of its letters.
 * @throws OperationError 400 for an unknown mode
 */
export function parseMode(word: string): SortMode {
  const mode = MODES.find((candidate) => candidate === word.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Unknown SortMode [${word}]`);
  return mode;
}
