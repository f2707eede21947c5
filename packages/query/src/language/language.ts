/**
 * The search language of a product: its field types, queries, aggregations, sorts, suggesters,
 * rescorers and script engines by name.
 *
 * The language is composed once from modules, the core's first. Everything that reads a mapping or
 * a search body gets it as an argument. OpenSearch registers the same in `SearchModule` and
 * `SearchPlugin`.
 */
import { assert } from "@orrery/stdx";
import type { ParseAggregation } from "./aggregation.ts";
import type { FieldType } from "./field-type.ts";
import type { ParseQuery } from "./query.ts";
import type { ParseRescorer } from "./rescorer.ts";
import type { ScriptEngine } from "./script.ts";
import type { SortType } from "./sort.ts";
import type { ParseSuggestion } from "./suggester.ts";

/** The type of a row of each kind. */
interface Rows {
  readonly fieldTypes: FieldType;
  readonly queries: ParseQuery;
  readonly aggregations: ParseAggregation;
  readonly sorts: SortType;
  readonly suggesters: ParseSuggestion;
  readonly rescorers: ParseRescorer;
  /** By the `lang` of scripts. */
  readonly scriptEngines: ScriptEngine;
}

/** Rows that one part of a product adds, by their names in mappings and search bodies. */
export type LanguageModule = {
  readonly [Kind in keyof Rows]?: Readonly<Record<string, Rows[Kind]>>;
};

/** All rows of a product. */
export type SearchLanguage = { readonly [Kind in keyof Rows]: ReadonlyMap<string, Rows[Kind]> };

/**
 * Names with a meaning beside the rows: property types that are no field types, and members beside
 * the kind.
 */
const RESERVED: { readonly [Kind in keyof Rows]?: readonly string[] } = {
  fieldTypes: ["object", "nested", "alias"],
  suggesters: ["text", "prefix", "regex"],
  rescorers: ["window_size"],
};

/**
 * Composes the modules. Two rows of one name, or a reserved name, are a bug of the composition and
 * fail an assertion.
 */
export function composeLanguage(modules: readonly LanguageModule[]): SearchLanguage {
  const language: SearchLanguage = {
    fieldTypes: rowsOf(
      "field types",
      modules.map(({ fieldTypes }) => fieldTypes),
      RESERVED.fieldTypes,
    ),
    queries: rowsOf(
      "queries",
      modules.map(({ queries }) => queries),
    ),
    aggregations: rowsOf(
      "aggregations",
      modules.map(({ aggregations }) => aggregations),
    ),
    sorts: rowsOf(
      "sorts",
      modules.map(({ sorts }) => sorts),
    ),
    suggesters: rowsOf(
      "suggesters",
      modules.map(({ suggesters }) => suggesters),
      RESERVED.suggesters,
    ),
    rescorers: rowsOf(
      "rescorers",
      modules.map(({ rescorers }) => rescorers),
      RESERVED.rescorers,
    ),
    scriptEngines: rowsOf(
      "script engines",
      modules.map(({ scriptEngines }) => scriptEngines),
    ),
  };
  // Every other name in a `sort` is a field's.
  for (const name of language.sorts.keys())
    assert(
      name.startsWith("_"),
      `no sorts can have the name [${name}]: it does not begin with [_]`,
    );
  return language;
}

/** The rows of one kind, of all modules. */
function rowsOf<Row>(
  what: string,
  tables: readonly (Readonly<Record<string, Row>> | undefined)[],
  reserved: readonly string[] = [],
): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, row] of tables.flatMap((table) => Object.entries(table ?? {}))) {
    assert(!rows.has(name), `two ${what} have the name [${name}]`);
    assert(!reserved.includes(name), `no ${what} can have the name [${name}]`);
    rows.set(name, row);
  }
  return rows;
}
