/** The tables whose rows need an example each, by the folder of their examples. */
import { coreLanguage } from "@orrery/query";
import { operations } from "@orrery/rest";

export const rows: Readonly<Record<string, readonly string[]>> = {
  aggregations: [...coreLanguage.aggregations.keys()],
  operations: operations.map(({ group }) => group),
  queries: [...coreLanguage.queries.keys()],
  rescorers: [...coreLanguage.rescorers.keys()],
  sorts: [...coreLanguage.sorts.keys()],
  suggesters: [...coreLanguage.suggesters.keys()],
};
