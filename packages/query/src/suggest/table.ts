/**
 * The table of the core's suggesters by their names in a request. A new one is a file in this
 * folder and a row here; plugins add theirs to the `SearchLanguage`.
 */
import type { ParseSuggestion } from "../language/suggester.ts";
import { parseTerm } from "./term.ts";

/** The parsers of the core's suggestions, by name. */
export const coreSuggesters: Readonly<Record<string, ParseSuggestion>> = { term: parseTerm };
