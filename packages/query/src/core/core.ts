/** The product's own module of the search language, and the language of a product without plugins. */
import { coreAggregations } from "../aggregations/table.ts";
import { coreFieldTypes } from "../mapping/types/table.ts";
import { coreQueries } from "../queries/table.ts";
import { composeLanguage, type LanguageModule, type SearchLanguage } from "../language/language.ts";

export const coreModule: LanguageModule = {
  fieldTypes: coreFieldTypes,
  queries: coreQueries,
  aggregations: coreAggregations,
};

export const coreLanguage: SearchLanguage = composeLanguage([coreModule]);
