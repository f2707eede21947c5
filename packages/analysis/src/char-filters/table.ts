/** Char filters by type. To add one: a file, a member of `CharFilterType`, a row. */
import type { PartContext } from "../parts.ts";
import type { Definition } from "../settings.ts";
import type { CharFilter } from "../types.ts";
import { htmlStrip } from "./html-strip.ts";
import { mapping } from "./mapping.ts";
import { patternReplace } from "./pattern-replace.ts";

/** Builds a char filter; throws for invalid settings. */
export type CharFilterFactory = (definition: Definition, context: PartContext) => CharFilter;

export type CharFilterType = "html_strip" | "mapping" | "pattern_replace";

/** A char filter and its use in normalizers. */
export interface CharFilterRow {
  readonly create: CharFilterFactory;
  /** Whether a normalizer may use the filter. */
  readonly isNormalizing: boolean;
}

export const charFilters: Readonly<Record<CharFilterType, CharFilterRow>> = {
  html_strip: { create: htmlStrip, isNormalizing: false },
  mapping: { create: mapping, isNormalizing: true },
  pattern_replace: { create: patternReplace, isNormalizing: true },
};
