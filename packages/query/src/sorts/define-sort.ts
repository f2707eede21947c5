/**
 * Makes a sort from values that are read by document: the members that such a sort does not choose
 * are filled in. For sorts of plugins.
 */
import { illegalArgument, javaText, type Json } from "@orrery/stdx";
import type { BuildContext } from "../language/query.ts";
import type { SortValue } from "../language/results.ts";
import type { SegmentSort, SortKey, SortOrder } from "../language/sort.ts";
import type { SegmentContext } from "../language/searcher.ts";

/** Reads the values of a sort key on one shard. */
export interface SortSource {
  /** The values of a segment's documents, all numbers or all texts; `null`: missing. */
  readonly open: (segment: SegmentContext) => SegmentSort["value"];
  /** The value that a hit prints; absent: the value itself. */
  readonly print?: (value: SortValue) => SortValue;
  /** The value for which a printed one stands in `search_after`; absent: the value itself. */
  readonly parse?: (value: Json) => SortValue;
}

/**
 * Makes a sort key. `read` opens it on a shard, and throws `OperationError` if the shard cannot be
 * sorted by it.
 */
export function defineSort(
  { name, isDescending, isMissingFirst }: SortOrder & Pick<SortKey, "name">,
  read: (context: BuildContext) => SortSource,
): SortKey {
  return {
    name,
    isDescending,
    isMissingFirst,
    isScore: false,
    field: undefined,
    printsAs: () => undefined,
    reader: (context) => {
      const { open, print, parse = printedValue } = read(context);
      return {
        isDescending,
        isMissingFirst,
        isScore: false,
        isDoc: false,
        print,
        open: (segment) => ({ value: open(segment), rank: undefined, ranks: undefined }),
        parse,
      };
    },
  };
}

function printedValue(value: Json): SortValue {
  if (value === null || (typeof value !== "object" && typeof value !== "boolean")) return value;
  throw illegalArgument(`Failed to parse search_after value [${javaText(value)}].`);
}
