/**
 * The table of the core's rescorers by their names in a request. A new one is a file in this folder
 * and a row here; plugins add theirs to the `SearchLanguage`.
 */
import type { ParseRescorer } from "../language/rescorer.ts";
import { parseQueryRescorer } from "./query-rescorer.ts";

/** The parsers of the core's rescorers, by name. */
export const coreRescorers: Readonly<Record<string, ParseRescorer>> = { query: parseQueryRescorer };
