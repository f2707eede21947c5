/**
 * An analyzer from its parts: char filters change the text, the tokenizer pushes tokens, each filter pushes on.
 *
 * A chain of sinks is built once and reused; while it is in use (or after a visitor threw in the middle of a text) it
 * is out of its place, so a nested or later walk builds a fresh one.
 */
import { mostFiltered } from "./filtered-length.ts";
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

export interface ChainParts {
  readonly name: string;
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  readonly positionIncrementGap?: number | undefined;
  /** A faster walk for the indexer; must produce what the chain produces. */
  readonly visitBytes?: (text: string, sink: TermBytesSink) => number;
  /** Where the parts alone do not say how to fold a whole string. */
  readonly normalize?: (text: string) => string;
}

interface Chain {
  run(text: string, visit: TokenVisitor): number;
}

export function createAnalyzer(parts: ChainParts): Analyzer {
  let idle: Chain | undefined;
  const visit = (text: string, visitor: TokenVisitor): number => {
    const chain = idle ?? createChain(parts);
    idle = undefined;
    const trailing = chain.run(text, visitor);
    idle = chain;
    return trailing;
  };
  const analyze = (text: string): AnalyzedToken[] => {
    const tokens: AnalyzedToken[] = [];
    let position = -1;
    visit(text, (token) => {
      position += token.positionIncrement;
      tokens.push({ ...token, position });
    });
    return tokens;
  };
  const terms = (text: string): string[] => {
    const found: string[] = [];
    visit(text, (token) => found.push(token.term));
    return found;
  };
  return {
    name: parts.name,
    positionIncrementGap: parts.positionIncrementGap,
    visit,
    visitBytes:
      parts.visitBytes ??
      ((text, sink) => visit(text, (token) => pushTerm(token.term, token, sink))),
    analyze,
    terms,
    normalize: parts.normalize ?? ((text) => normalizeWith(parts, text)),
  };
}

/** Char filters and single-character token filters over a whole string. */
export function normalizeWith(
  parts: Pick<ChainParts, "charFilters" | "filters">,
  text: string,
): string {
  let normalized = filterText(parts.charFilters, text).text;
  for (const filter of parts.filters) normalized = filter.normalize?.(normalized) ?? normalized;
  return normalized;
}

/** All char filters in order, with one correction for all of them. */
export function filterText(filters: readonly CharFilter[], text: string): FilteredText {
  let filtered: FilteredText = { text, correct: undefined };
  const most = mostFiltered(text.length);
  for (const filter of filters) {
    const { correct: before } = filtered;
    const { text: next, correct } = filter(filtered.text, most);
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
  let last: TokenSink = {
    token: (token) => visitor(token),
    end: (_, trailing) => {
      trailingIncrement = trailing;
    },
  };
  for (const filter of filters.toReversed()) last = filter.apply(last);
  const filtersHead = last;
  const head = charFilters.length === 0 ? filtersHead : correcting(filtersHead, () => correct);
  return {
    run: (text, visit) => {
      visitor = visit;
      if (charFilters.length === 0) {
        tokenizer(text, head);
        return trailingIncrement;
      }
      const filtered = filterText(charFilters, text);
      correct = filtered.correct;
      tokenizer(filtered.text, head);
      return trailingIncrement;
    },
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
