/**
 * The analyzer of type `custom`: named parts in the form `{type: custom, tokenizer, filter, char_filter,
 * position_increment_gap}`.
 */
import { illegalArgument } from "@orrery/stdx";
import { createAnalyzer } from "../chain.ts";
import type { FoundTokenFilter, PartFinder } from "../part-finder.ts";
import { readInteger, readList, readText, type Definition } from "../settings.ts";
import type { Analyzer, CharFilter, TokenFilter, Tokenizer } from "../types.ts";

/**
 * Built-in filters whose pre-configured form differs from their type without settings. Source:
 * `CommonAnalysisModulePlugin.getPreConfiguredTokenFilters`.
 */
const PRE_CONFIGURED: ReadonlyMap<string, Definition> = new Map([
  ["edge_ngram", { type: "edge_ngram", max_gram: 1 }],
  ["edgeNGram", { type: "edge_ngram", max_gram: 1 }],
  ["truncate", { type: "truncate", length: 10 }],
]);

/** Builds the analyzer. Throws when a named part is missing or the tokenizer is not set. */
export function createCustomAnalyzer(
  name: string,
  definition: Definition,
  find: PartFinder,
): Analyzer {
  const missing = (kind: string, part: string): Error =>
    illegalArgument(`Custom Analyzer [${name}] failed to find ${kind} under name [${part}]`);
  const tokenizerName = readText(definition, "tokenizer");
  if (tokenizerName === undefined) {
    throw illegalArgument(`Custom Analyzer [${name}] must be configured with a tokenizer`);
  }
  const tokenizer = find.tokenizer(tokenizerName);
  if (tokenizer === undefined) throw missing("tokenizer", tokenizerName);
  const charFilters = (readList(definition, "char_filter") ?? []).map((part) => {
    const found = find.charFilter(part);
    if (found === undefined) throw missing("char_filter", part);
    return found.create();
  });
  const filters = (readList(definition, "filter") ?? []).map((part) => {
    const found = find.tokenFilter(part, PRE_CONFIGURED.get(part));
    if (found === undefined) throw missing("filter", part);
    return found;
  });
  const gap =
    definition["position_increment_gap"] === undefined
      ? undefined
      : readInteger(definition, "position_increment_gap", 100);
  return chainOf({ name, charFilters, tokenizer, filters, positionIncrementGap: gap });
}

interface FoundParts {
  readonly name: string;
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly FoundTokenFilter[];
  readonly positionIncrementGap?: number | undefined;
}

/** An analyzer of the found parts. */
export function chainOf(parts: FoundParts): Analyzer {
  return createAnalyzer({ ...parts, filters: createFilters(parts) });
}

/** Builds the token filters in order, each with the parts before it. */
export function createFilters({ charFilters, tokenizer, filters }: FoundParts): TokenFilter[] {
  const created: TokenFilter[] = [];
  for (const filter of filters) {
    const before = { name: "__synonyms", charFilters, tokenizer, filters: [...created] };
    created.push(filter.create(createAnalyzer(before)));
  }
  return created;
}
