/** `_natural`: names in the order in which people count them, `part2` before `part10`: `{"_natural": {"field": "name", "order": "desc"}}`. */
import * as dsl from "@orrery/query/extension";
import { illegalArgument, javaText, utf8Decode } from "@orrery/stdx";
import { keywordOf } from "./keyword.ts";

/** Digits of the longest number that sorts as a number. */
const DIGITS = 20;

export const naturalSort: dsl.SortType = { parse: parseNatural };

function parseNatural(at: dsl.Cursor): dsl.SortKey {
  let name: string | undefined;
  const isDescending = dsl.readOptions(at, {
    parser: "_natural",
    known: ["field", "order"],
    read: (_, member) => {
      name = dsl.scalarText(member);
    },
  });
  if (name === undefined) throw illegalArgument("[_natural] has no [field]");
  const field = name;
  const order = { name: "_natural", isDescending: isDescending ?? false, isMissingFirst: false };
  return dsl.defineSort(order, (context) => {
    const column = keywordOf(context, field);
    return { open: (segment) => openNames(segment, column), print: nameOf, parse: parseName };
  });
}

function openNames({ reader, budget }: dsl.SegmentContext, name: string): dsl.SegmentSort["value"] {
  const column = reader.ordinals(name);
  return (doc) => {
    if (column === undefined || column.end(doc) <= column.start(doc)) return null;
    const term = column.dictionary.term(column.ords[column.start(doc)] as number);
    budget.step(term.length);
    return keyOf(utf8Decode(term));
  };
}

/** Numbers in full length, and the name itself behind them. */
function keyOf(name: string): string {
  const padded = name.replaceAll("\0", "").replaceAll(/\d+/g, (run) => run.padStart(DIGITS, "0"));
  return `${padded}\0${name}`;
}

function nameOf(key: dsl.SortValue): dsl.SortValue {
  return typeof key === "string" ? key.slice(key.indexOf("\0") + 1) : key;
}

function parseName(value: Parameters<typeof javaText>[0]): dsl.SortValue {
  return value === null ? null : keyOf(javaText(value));
}
