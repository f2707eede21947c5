/** The suggesters of the core by their names in a request. To add one: a file beside this and a row here. */
import type { ParseSuggestion } from "../language/suggester.ts";
import { parseTerm } from "./term.ts";

export const coreSuggesters: Readonly<Record<string, ParseSuggestion>> = { term: parseTerm };
