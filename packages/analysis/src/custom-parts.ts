/** The analyzer that an `_analyze` request describes by its parts, and the output of each of its stages. */
import { illegalArgument } from "@orrery/stdx";
import { createFilters } from "./analyzers/custom.ts";
import { createAnalyzer, filterText } from "./chain.ts";
import type { FoundCharFilter, FoundTokenFilter, PartFinder } from "./part-finder.ts";
import type { Definition } from "./settings.ts";
import { keyword } from "./tokenizers/keyword.ts";
import type {
  Analyzer,
  CharFilter,
  CustomParts,
  ExplainedStage,
  PartReference,
  TokenFilter,
  Tokenizer,
} from "./types.ts";
import { DEFAULT_LIMITS } from "./parts.ts";

interface Resolved {
  readonly charFilters: readonly { readonly name: string; readonly part: CharFilter }[];
  readonly tokenizer: { readonly name: string; readonly part: Tokenizer };
  readonly filters: readonly { readonly name: string; readonly part: TokenFilter }[];
}

/** Builds the analyzer; without a tokenizer the whole text is one token. */
export function createCustom(parts: CustomParts, find: PartFinder): Analyzer {
  const { charFilters, tokenizer, filters } = resolve(parts, find);
  return createAnalyzer({
    name: "_anonymous_",
    charFilters: charFilters.map(({ part }) => part),
    tokenizer: tokenizer.part,
    filters: filters.map(({ part }) => part),
  });
}

/** Output of each char filter, of the tokenizer, and of each token filter. */
export function explainCustom(
  parts: CustomParts,
  find: PartFinder,
  text: string,
): ExplainedStage[] {
  const { charFilters, tokenizer, filters } = resolve(parts, find);
  const allCharFilters = charFilters.map(({ part }) => part);
  const allFilters = filters.map(({ part }) => part);
  const tokensUpTo = (count: number): ExplainedStage["tokens"] =>
    createAnalyzer({
      name: "_anonymous_",
      charFilters: allCharFilters,
      tokenizer: tokenizer.part,
      filters: allFilters.slice(0, count),
    }).analyze(text);
  return [
    ...charFilters.map(({ name }, i): ExplainedStage => {
      const filteredText = filterText(allCharFilters.slice(0, i + 1), text).text;
      return { kind: "charfilter", name, filteredText };
    }),
    { kind: "tokenizer", name: tokenizer.name, tokens: tokensUpTo(0) ?? [] },
    ...filters.map(({ name }, i): ExplainedStage => ({
      kind: "tokenfilter",
      name,
      tokens: tokensUpTo(i + 1) ?? [],
    })),
  ];
}

function resolve(parts: CustomParts, find: PartFinder): Resolved {
  const charFilters = (parts.char_filter ?? []).map((reference) => ({
    name: nameOf(reference, "char_filter"),
    part: charFilterOf(reference, find).create(),
  }));
  const tokenizer =
    parts.tokenizer === undefined
      ? { name: "keyword", part: keyword({}, { name: "keyword", limits: DEFAULT_LIMITS }) }
      : { name: nameOf(parts.tokenizer, "tokenizer"), part: tokenizerOf(parts.tokenizer, find) };
  const references = parts.filter ?? [];
  const created = createFilters({
    name: "_anonymous_",
    charFilters: charFilters.map(({ part }) => part),
    tokenizer: tokenizer.part,
    filters: references.map((reference) => tokenFilterOf(reference, find)),
  });
  const filters = created.map((part, i) => ({ name: nameOf(references[i] ?? "", "filter"), part }));
  return { charFilters, tokenizer, filters };
}

function nameOf(reference: PartReference, kind: string): string {
  return typeof reference === "string" ? reference : `__anonymous__${typeOf(reference, kind)}`;
}

function charFilterOf(reference: PartReference, find: PartFinder): FoundCharFilter {
  if (typeof reference === "string") {
    return orMissing(find.charFilter(reference), "char_filter", reference);
  }
  const type = typeOf(reference, "char_filter");
  return orMissing(find.charFilterOf(reference, `__anonymous__${type}`), "char_filter", type);
}

function tokenizerOf(reference: PartReference, find: PartFinder): Tokenizer {
  if (typeof reference === "string") {
    return orMissing(find.tokenizer(reference), "tokenizer", reference);
  }
  const type = typeOf(reference, "tokenizer");
  return orMissing(find.tokenizerOf(reference, `__anonymous__${type}`), "tokenizer", type);
}

function tokenFilterOf(reference: PartReference, find: PartFinder): FoundTokenFilter {
  if (typeof reference === "string") {
    return orMissing(find.tokenFilter(reference), "filter", reference);
  }
  const type = typeOf(reference, "filter");
  return orMissing(find.tokenFilterOf(reference, `__anonymous__${type}`), "filter", type);
}

function typeOf(definition: Definition, kind: string): string {
  const { type } = definition;
  if (typeof type === "string") return type;
  throw illegalArgument(
    `Missing [type] setting for anonymous ${kind}: ${JSON.stringify(definition)}`,
  );
}

function orMissing<Found>(found: Found | undefined, kind: string, name: string): Found {
  if (found !== undefined) return found;
  throw illegalArgument(`failed to find global ${kind} under [${name}]`);
}
