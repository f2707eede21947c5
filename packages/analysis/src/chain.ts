/**
 * Builds an analyzer from its parts: char filters rewrite the text, the tokenizer pushes tokens into the first
 * filter, each filter pushes into the next.
 *
 * One chain of sinks is built and reused. A walk takes it for its duration, so a nested walk, or one after a visitor
 * threw in the middle of a text, builds a fresh chain: sinks hold state of the text they are in.
 */
import { Growth, mostFiltered } from "./growth.ts";
import { pushTerm } from "./term-bytes.ts";
import type {
  AnalyzedToken,
  Analyzer,
  CharFilter,
  FilteredText,
  TermBytesSink,
  TokenFilter,
  Tokenizer,
  TokenSink,
  TokenVisitor,
} from "./types.ts";

/** Parts of an analyzer, in the order of application. */
export interface ChainParts {
  readonly name: string;
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  readonly positionIncrementGap?: number | undefined;
  /** A faster walk for the indexer. It must produce the same terms and positions as the chain. */
  readonly visitBytes?: (text: string, sink: TermBytesSink) => number;
  /** Replaces the derivation of `normalize` from the parts. */
  readonly normalize?: (text: string) => string;
}

interface Chain {
  run(text: string, visit: TokenVisitor, growth: Growth): number;
}

/** An analyzer of the given parts. */
export function createAnalyzer(parts: ChainParts): Analyzer {
  let idle: Chain | undefined;
  const visit = (text: string, visitor: TokenVisitor, growth = new Growth()): number => {
    const chain = idle ?? createChain(parts);
    idle = undefined;
    growth.begin(text);
    const trailing = chain.run(text, visitor, growth);
    idle = chain;
    return trailing;
  };
  const analyze = (text: string, growth?: Growth): AnalyzedToken[] => {
    const tokens: AnalyzedToken[] = [];
    let position = -1;
    const push: TokenVisitor = (token) => {
      position += token.positionIncrement;
      tokens.push({ ...token, position });
    };
    visit(text, push, growth);
    return tokens;
  };
  const terms = (text: string, growth?: Growth): string[] => {
    const found: string[] = [];
    visit(text, (token) => found.push(token.term), growth);
    return found;
  };
  return {
    name: parts.name,
    positionIncrementGap: parts.positionIncrementGap,
    visit,
    visitBytes:
      parts.visitBytes ??
      ((text, sink, growth) => visit(text, (token) => pushTerm(token.term, token, sink), growth)),
    analyze,
    terms,
    normalize: parts.normalize ?? ((text) => normalizeWith(parts, text)),
  };
}

/** Applies the char filters, and the token filters that map single characters, to a whole string. */
export function normalizeWith(
  parts: Pick<ChainParts, "charFilters" | "filters">,
  text: string,
  growth?: Growth,
): string {
  growth?.begin(text);
  let normalized = filterText(parts.charFilters, text, growth).text;
  for (const filter of parts.filters) normalized = filter.normalize?.(normalized) ?? normalized;
  return normalized;
}

/** Applies all char filters in order; `correct` maps an offset in the result back to the original text. */
export function filterText(
  filters: readonly CharFilter[],
  text: string,
  growth?: Growth,
): FilteredText {
  let filtered: FilteredText = { text, correct: undefined };
  const most = mostFiltered(text.length);
  for (const filter of filters) {
    const { correct: before } = filtered;
    const { text: next, correct } = filter(filtered.text, most);
    growth?.filtered(next.length);
    const both =
      before !== undefined && correct !== undefined
        ? (offset: number): number => before(correct(offset))
        : (correct ?? before);
    filtered = { text: next, correct: both };
  }
  return filtered;
}

function createChain({ charFilters, tokenizer, filters }: ChainParts): Chain {
  let visitor: TokenVisitor = () => {};
  let trailingIncrement = 0;
  let correct: FilteredText["correct"];
  let growth = new Growth();
  let last: TokenSink = {
    token: (token) => visitor(token),
    end: (_, trailing) => {
      trailingIncrement = trailing;
    },
  };
  for (const filter of filters.toReversed()) {
    const next = filter.isSteady === true ? last : counting(last, () => growth);
    last = filter.apply(next, () => growth);
  }
  const filtersHead = counting(last, () => growth);
  const head = charFilters.length === 0 ? filtersHead : correcting(filtersHead, () => correct);
  return {
    run: (text, visit, account) => {
      visitor = visit;
      growth = account;
      if (charFilters.length === 0) {
        tokenizer(text, head);
        return trailingIncrement;
      }
      const filtered = filterText(charFilters, text, growth);
      correct = filtered.correct;
      tokenizer(filtered.text, head);
      return trailingIncrement;
    },
  };
}

/** A sink that charges each token to the growth budget; it stands behind every part that may multiply tokens. */
function counting(next: TokenSink, growth: () => Growth): TokenSink {
  return {
    token: (token) => {
      growth().token(token.term.length);
      next.token(token);
    },
    end: (endOffset, trailing) => next.end(endOffset, trailing),
  };
}

function correcting(next: TokenSink, correction: () => FilteredText["correct"]): TokenSink {
  return {
    token: (token) => {
      const correct = correction();
      if (correct !== undefined) {
        token.startOffset = correct(token.startOffset);
        token.endOffset = correct(token.endOffset);
      }
      next.token(token);
    },
    end: (endOffset, trailing) => next.end(correction()?.(endOffset) ?? endOffset, trailing),
  };
}
