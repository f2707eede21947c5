/** The product's own module of the search language, and the language that consists of it alone. */
import { coreAggregations } from "../aggregations/table.ts";
import { coreFieldTypes } from "../mapping/types/table.ts";
import { coreRescorers } from "../rescore/table.ts";
import { coreScriptEngines } from "../expressions/table.ts";
import { coreSorts } from "../sorts/table.ts";
import { coreSuggesters } from "../suggest/table.ts";
import { coreQueries } from "../queries/table.ts";
import { composeLanguage, type LanguageModule, type SearchLanguage } from "../language/language.ts";

export const coreModule: LanguageModule = {
  fieldTypes: coreFieldTypes,
  queries: coreQueries,
  aggregations: coreAggregations,
  sorts: coreSorts,
  suggesters: coreSuggesters,
  rescorers: coreRescorers,
  scriptEngines: coreScriptEngines,
};

export const coreLanguage: SearchLanguage = composeLanguage([coreModule]);
