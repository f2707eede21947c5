/**
 * The search language of a product: field types, queries and aggregations by their names. It is composed of modules once, of which
 * the product's own is the first, and given to everything that reads a mapping or a search body.
 */
import { assert } from "@orrery/stdx";
import type { ParseAggregation } from "./aggregation.ts";
import type { FieldType } from "./field-type.ts";
import type { ParseQuery } from "./query.ts";

/** Rows that one part of a product adds to the language, by their names in mappings and search bodies. */
export interface LanguageModule {
  readonly fieldTypes?: Readonly<Record<string, FieldType>>;
  readonly queries?: Readonly<Record<string, ParseQuery>>;
  readonly aggregations?: Readonly<Record<string, ParseAggregation>>;
}

export interface SearchLanguage {
  readonly fieldTypes: ReadonlyMap<string, FieldType>;
  readonly queries: ReadonlyMap<string, ParseQuery>;
  readonly aggregations: ReadonlyMap<string, ParseAggregation>;
}

/** Types of a mapping's properties that are no field types: no row can have their names. */
const STRUCTURES: readonly string[] = ["object", "nested", "alias"];

/** Two rows of one name are a bug in the composition, whichever modules they come from. */
export function composeLanguage(modules: readonly LanguageModule[]): SearchLanguage {
  const fieldTypes = rowsOf(
    "field types",
    modules.map((module) => module.fieldTypes),
  );
  const reserved = STRUCTURES.find((name) => fieldTypes.has(name));
  assert(reserved === undefined, `a field type cannot be named [${reserved}]`);
  return {
    fieldTypes,
    queries: rowsOf(
      "queries",
      modules.map((module) => module.queries),
    ),
    aggregations: rowsOf(
      "aggregations",
      modules.map((module) => module.aggregations),
    ),
  };
}

function rowsOf<Row>(
  what: string,
  tables: readonly (Readonly<Record<string, Row>> | undefined)[],
): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, row] of tables.flatMap((table) => Object.entries(table ?? {}))) {
    assert(!rows.has(name), `two ${what} have the name [${name}]`);
    rows.set(name, row);
  }
  return rows;
}
