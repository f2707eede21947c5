/** The rescorers of the core by their names in a request. To add one: a file beside this and a row here. */
import type { ParseRescorer } from "../language/rescorer.ts";
import { parseQueryRescorer } from "./query-rescorer.ts";

export const coreRescorers: Readonly<Record<string, ParseRescorer>> = { query: parseQueryRescorer };
