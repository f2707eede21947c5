/** Options that several sorts have: the order, and the rejection of unknown ones. */
import { illegalArgument } from "@orrery/stdx";
import { members, scalarText, unknownField, wrapField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/**
 * Parses `asc` or `desc`, in any case; true: descending.
 * @throws OperationError 400 in the words of Java's `valueOf`
 */
export function parseOrder(word: string): boolean {
  const order = word.toLowerCase();
  if (order === "asc" || order === "desc") return order === "desc";
  throw illegalArgument(
    `No enum constant org.opensearch.search.sort.SortOrder.${word.toUpperCase()}`,
  );
}

/** A sort's options. */
interface OptionsReader {
  /** The parser's name in errors. */
  readonly parser: string;
  readonly known: readonly string[];
  /** Reads any option but the order. */
  readonly read?: (option: string, at: Cursor) => void;
}

/** Reads all options; returns whether the order is descending, `undefined` if it is not given. */
export function readOptions(
  at: Cursor,
  { parser, known, read }: OptionsReader,
): boolean | undefined {
  let isDescending: boolean | undefined;
  for (const [option, member] of members(at)) {
    if (!known.includes(option)) throw unknownField(member, parser, known);
    if (option === "order")
      isDescending = wrapField(member, parser, () => parseOrder(scalarText(member)));
    else read?.(option, member);
  }
  return isDescending;
}
