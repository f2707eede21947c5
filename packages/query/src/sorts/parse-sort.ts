/**
 * Parses the `sort` of a request. A name is that of a row of the language, or else a field's.
 * Source: `SortBuilder`.
 */
import { illegalArgument, isJsonObject } from "@orrery/stdx";
import { items, members, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { SortKey } from "../language/sort.ts";
import { fieldKey, parseFieldSort } from "./field-sort.ts";
import { parseOrder } from "./sort-options.ts";

/**
 * Parses a `sort`: its keys in their order.
 * @throws BodyError or OperationError 400
 */
export function parseSort(at: Cursor): SortKey[] {
  return items(at).flatMap((item) => {
    const { json, language } = item;
    if (typeof json === "string")
      return [language.sorts.get(json)?.named?.(undefined) ?? fieldKey(json, undefined)];
    if (isJsonObject(json)) return members(item).map(([name, member]) => parseKey(name, member));
    throw illegalArgument(
      "malformed sort format, within the sort array, an object, or an actual string are allowed",
    );
  });
}

/** The key of a name with an order or with options. */
function parseKey(name: string, at: Cursor): SortKey {
  const row = at.language.sorts.get(name);
  const hasOptions = isJsonObject(at.json);
  // `_script` without options is the name of a field.
  if (row !== undefined && (hasOptions || name !== "_script"))
    return hasOptions || row.named === undefined
      ? row.parse(at)
      : row.named(parseOrder(scalarText(at)));
  return hasOptions ? parseFieldSort(name, at) : fieldKey(name, parseOrder(scalarText(at)));
}
