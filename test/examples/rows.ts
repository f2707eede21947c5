/** The tables whose rows need an example each, by the folder of their examples. */
import { coreProcessors } from "@orrery/ingest";
import { coreLanguage } from "@orrery/query";
import { operations } from "@orrery/rest";
import { analyzers } from "../../packages/analysis/src/analyzers/table.ts";
import { charFilters } from "../../packages/analysis/src/char-filters/table.ts";
import { normalizers } from "../../packages/analysis/src/normalizers/table.ts";
import { tokenFilters } from "../../packages/analysis/src/token-filters/table.ts";
import { tokenizers } from "../../packages/analysis/src/tokenizers/table.ts";

export const rows: Readonly<Record<string, readonly string[]>> = {
  aggregations: [...coreLanguage.aggregations.keys()],
  analyzers: Object.keys(analyzers),
  "char-filters": Object.keys(charFilters),
  "field-types": [...coreLanguage.fieldTypes.keys()],
  normalizers: [...normalizers.keys()],
  operations: operations.map(({ group }) => group),
  processors: coreProcessors.map(({ type }) => type),
  queries: [...coreLanguage.queries.keys()],
  rescorers: [...coreLanguage.rescorers.keys()],
  sorts: [...coreLanguage.sorts.keys()],
  suggesters: [...coreLanguage.suggesters.keys()],
  "token-filters": Object.keys(tokenFilters),
  tokenizers: Object.keys(tokenizers),
};
