/** The token filter `uppercase`. */
import { uppercase as fold } from "../code-points.ts";
import { mapTerms } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

export const uppercase: TokenFilterFactory = () => mapTerms(fold);
