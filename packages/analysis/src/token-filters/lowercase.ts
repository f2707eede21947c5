/** Terms in lower case. */
import { lowercase as fold } from "../code-points.ts";
import { mapTerms } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

export const lowercase: TokenFilterFactory = () => mapTerms(fold);
