/** The tables whose rows need an example each, by the folder of their examples. */
import { coreLanguage } from "@orrery/query";

export const rows: Readonly<Record<string, readonly string[]>> = {
  aggregations: [...coreLanguage.aggregations.keys()],
  queries: [...coreLanguage.queries.keys()],
  rescorers: [...coreLanguage.rescorers.keys()],
  sorts: [...coreLanguage.sorts.keys()],
  suggesters: [...coreLanguage.suggesters.keys()],
};
