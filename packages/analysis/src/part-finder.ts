/**
 * Resolves parts of analyzers by name: first those that the index settings define, then built-in ones, which are
 * available under the name of their type without settings.
 */
import { illegalArgument, lookup } from "@orrery/stdx";
import { charFilters, type CharFilterType } from "./char-filters/table.ts";
import { Growth, SETTINGS_GROWTH } from "./growth.ts";
import type { AnalysisLimits, Preceding } from "./parts.ts";
import { isDefinition, readObject, readText, type Definition } from "./settings.ts";
import { tokenFilters, type TokenFilterType } from "./token-filters/table.ts";
import { tokenizers, type TokenizerType } from "./tokenizers/table.ts";
import { ignoreStreamRefusal } from "./stream-refusal.ts";
import type { CharFilter, TokenFilter, Tokenizer } from "./types.ts";

/** A resolved char filter that is not built yet. */
export interface FoundCharFilter {
  readonly isNormalizing: boolean;
  create(): CharFilter;
}

/** A resolved token filter that is not built yet; `needsPreceding` filters are built only inside an analyzer. */
export interface FoundTokenFilter {
  readonly isNormalizing: boolean;
  readonly needsPreceding: boolean;
  create(preceding: Preceding | undefined): TokenFilter;
}

/** Finds the parts of analyzers by name or by definition; `undefined` for an unknown name or type. */
export interface PartFinder {
  charFilter(name: string): FoundCharFilter | undefined;
  tokenizer(name: string): Tokenizer | undefined;
  /**
   * A token filter by name. `bare` is its definition when the settings do not define the name; default: the built-in
   * filter of this type without settings.
   */
  tokenFilter(name: string, bare?: Definition): FoundTokenFilter | undefined;
  /** Parts defined in place, with their `type`; `undefined` for an unknown type. */
  charFilterOf(definition: Definition, name: string): FoundCharFilter | undefined;
  tokenizerOf(definition: Definition, name: string): Tokenizer | undefined;
  tokenFilterOf(definition: Definition, name: string): FoundTokenFilter | undefined;
  /**
   * Throws for the first definition with an unknown type or invalid settings. Refusals that Lucene makes only when it
   * builds a token stream are ignored here.
   */
  checkAll(): void;
}

type Group = "char_filter" | "tokenizer" | "filter";

/** A finder over the settings of one index. */
export function createPartFinder(settings: Definition, limits: AnalysisLimits): PartFinder {
  const growth = new Growth(SETTINGS_GROWTH);
  const defined = (group: Group, name: string): Definition | undefined => {
    const definition = lookup(readObject(settings, group), name);
    return isDefinition(definition) ? definition : undefined;
  };
  const charFilterOf = (definition: Definition, name: string): FoundCharFilter | undefined => {
    const row = rowOf(charFilters, readText(definition, "type"));
    if (row === undefined) return undefined;
    const { isNormalizing, create } = row;
    return { isNormalizing, create: () => create(definition, { name, limits }) };
  };
  const tokenizerOf = (definition: Definition, name: string): Tokenizer | undefined =>
    rowOf(tokenizers, readText(definition, "type"))?.(definition, { name, limits });
  const tokenFilterOf = (definition: Definition, name: string): FoundTokenFilter | undefined => {
    const row = rowOf(tokenFilters, readText(definition, "type"));
    if (row === undefined) return undefined;
    const { isNormalizing, needsPreceding = false, create } = row;
    return {
      isNormalizing,
      needsPreceding,
      create: (preceding) => create(definition, { name, limits, preceding, growth }),
    };
  };
  const required: { readonly [Name in Group]: (definition: Definition, name: string) => void } = {
    char_filter: (definition, name) =>
      void orUnknown(charFilterOf(definition, name), "char_filter", definition, name).create(),
    tokenizer: (definition, name) =>
      void orUnknown(tokenizerOf(definition, name), "tokenizer", definition, name),
    filter: (definition, name) => {
      const found = orUnknown(tokenFilterOf(definition, name), "filter", definition, name);
      if (!found.needsPreceding) found.create(undefined);
    },
  };
  return {
    charFilter: (name) => charFilterOf(defined("char_filter", name) ?? { type: name }, name),
    tokenizer: (name) => tokenizerOf(defined("tokenizer", name) ?? { type: name }, name),
    tokenFilter: (name, bare = { type: name }) =>
      tokenFilterOf(defined("filter", name) ?? bare, name),
    charFilterOf,
    tokenizerOf,
    tokenFilterOf,
    checkAll: () => {
      for (const group of ["tokenizer", "filter", "char_filter"] as const) {
        for (const [name, definition] of Object.entries(readObject(settings, group))) {
          if (isDefinition(definition))
            ignoreStreamRefusal(() => required[group](definition, name));
        }
      }
    },
  };
}

function rowOf<Row>(
  table: Readonly<Record<CharFilterType, Row>> | Readonly<Record<string, Row>>,
  type: string | undefined,
): Row | undefined {
  if (type === undefined) return undefined;
  const name = LEGACY_NAMES.get(type) ?? type;
  return lookup(table as Readonly<Record<string, Row>>, name);
}

/** Camel-case names that OpenSearch still accepts. */
const LEGACY_NAMES: ReadonlyMap<string, TokenFilterType | TokenizerType> = new Map([
  ["nGram", "ngram"],
  ["edgeNGram", "edge_ngram"],
  ["porterStem", "porter_stem"],
]);

function orUnknown<Found>(
  found: Found | undefined,
  group: Group,
  definition: Definition,
  name: string,
): Found {
  if (found !== undefined) return found;
  const type = readText(definition, "type");
  throw illegalArgument(
    type === undefined
      ? `${group} [${name}] must specify either an analyzer type, or a tokenizer`
      : `Unknown ${group} type [${type}] for [${name}]`,
  );
}
