/** A normalizer of char filters and of token filters that map single characters. */
import { illegalArgument } from "@orrery/stdx";
import { normalizeWith } from "../chain.ts";
import type { PartFinder } from "../part-finder.ts";
import { readList, type Definition } from "../settings.ts";
import type { Normalizer } from "../types.ts";

/** Builds the normalizer. Throws for a part that maps more than single characters. */
export function createCustomNormalizer(
  name: string,
  definition: Definition,
  find: PartFinder,
): Normalizer {
  if (definition["tokenizer"] !== undefined) {
    throw illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`);
  }
  const charFilters = (readList(definition, "char_filter") ?? []).map((part) => {
    const found = find.charFilter(part);
    if (found === undefined) {
      throw illegalArgument(
        `Custom normalizer [${name}] failed to find char_filter under name [${part}]`,
      );
    }
    if (!found.isNormalizing) {
      throw illegalArgument(`Custom normalizer [${name}] may not use char filter [${part}]`);
    }
    return found.create();
  });
  const filters = (readList(definition, "filter") ?? []).map((part) => {
    const found = find.tokenFilter(part);
    if (found === undefined) {
      throw illegalArgument(`Custom Analyzer [${name}] failed to find filter under name [${part}]`);
    }
    if (!found.isNormalizing) {
      throw illegalArgument(`Custom normalizer [${name}] may not use filter [${part}]`);
    }
    return found.create(undefined);
  });
  return {
    name,
    normalize: (text, growth) => normalizeWith({ charFilters, filters }, text, growth),
  };
}
