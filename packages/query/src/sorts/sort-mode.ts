/** The mode of a sort: which of a document's values counts, or what is made of all of them. Source: `SortMode`. */
import { illegalArgument } from "@orrery/stdx";

export type SortMode = "min" | "max" | "avg" | "sum" | "median";

const MODES: readonly SortMode[] = ["min", "max", "avg", "sum", "median"];

export function parseMode(word: string): SortMode {
  const mode = MODES.find((candidate) => candidate === word.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Unknown SortMode [${word}]`);
  return mode;
}
