/** The token filter `lowercase`. Rules of a `language` are not supported. */
import { lowercase as fold } from "../code-points.ts";
import { readText } from "../settings.ts";
import { StreamRefusal } from "../stream-refusal.ts";
import { mapTerms } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

const LANGUAGES: ReadonlySet<string> = new Set(["greek", "irish", "turkish"]);

export const lowercase: TokenFilterFactory = (definition) => {
  const language = readText(definition, "language");
  if (language !== undefined && !LANGUAGES.has(language))
    throw new StreamRefusal(`language [${language}] not support for lower case`);
  return mapTerms(fold);
};
