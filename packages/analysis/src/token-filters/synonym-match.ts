/**
 * Finds the longest matches of synonym rules in a token stream and emits their alternatives, flat or as a graph.
 *
 * Rules are a trie over terms. Tokens wait in a queue as long as a longer match is possible; a token is emitted
 * unchanged when no rule starts with it.
 */
import { copyToken, createToken } from "../token.ts";
import { TokenQueue } from "../token-queue.ts";
import type { Growth } from "../growth.ts";
import type { Token, TokenFilter, TokenSink } from "../types.ts";

/** A node of the trie of synonym rules. */
export interface Node {
  readonly next: Map<string, Node>;
  /** Alternatives of the rules whose input ends here. */
  readonly outputs: Alternatives[];
  isOriginalKept: boolean;
  known: readonly Phrase[] | undefined;
}

type Phrase = readonly string[];

/**
 * Phrases of a rule, shared by all its inputs: a symmetric rule of a thousand words has a thousand inputs, each with
 * all other words as alternatives.
 */
export interface Alternatives {
  readonly phrases: readonly Phrase[];
  /** The input itself, which is no alternative of its own; only in symmetric rules. */
  readonly except: Phrase | undefined;
}

/** A node of the trie without successors or alternatives. */
export function newNode(): Node {
  return { next: new Map(), outputs: [], isOriginalKept: false, known: undefined };
}

/** Alternatives up to this number are cached at their node; longer lists are rebuilt at each match. */
const SHORT = 64;

function outputsOf(node: Node): readonly Phrase[] {
  if (node.known !== undefined) return node.known;
  let found: Phrase[] = [];
  for (const { phrases, except } of node.outputs) {
    const others = phrases.filter((phrase) => phrase !== except);
    if (found.length === 0) {
      found = others;
      continue;
    }
    const known = new Set(found.map((phrase) => phrase.join("\0")));
    found = [...found, ...others.filter((phrase) => !known.has(phrase.join("\0")))];
  }
  if (found.length <= SHORT) node.known = found;
  return found;
}

/** Characters charged to the growth budget per step in the trie. */
const STEP = 4;

interface Match {
  readonly tokens: readonly Token[];
  readonly outputs: readonly Phrase[];
  readonly isOriginalKept: boolean;
}

/** Emits tokens between matches, and the alternatives of matches. */
interface Emitter {
  plain(token: Token): void;
  match(match: Match): void;
  /** Ends the text. */
  end(): void;
}

/** Makes the emitter, flat or graph, of one chain of sinks. */
export type CreateEmitter = (next: TokenSink, growth: () => Growth) => Emitter;

/** A filter for the rules below `root`. */
export function createSynonymFilter(root: Node, createEmitter: CreateEmitter): TokenFilter {
  const apply = (next: TokenSink, growth: () => Growth): TokenSink => {
    const emitter = createEmitter(next, growth);
    const queue = new TokenQueue<Token>();
    const walk = new TrieWalk(root);
    const drain = (isOver: boolean): void => {
      while (queue.length > 0) {
        if (walk.advance(queue) === "undecided" && !isOver) return;
        const { best, bestLength, length } = walk;
        // Tokens behind a match are walked again for the next one, so each step is charged.
        growth().characters(length * STEP);
        walk.restart();
        if (best === undefined) {
          const token = queue.at(0);
          queue.drop(1);
          emitter.plain(token);
          continue;
        }
        const tokens = queue.first(bestLength);
        queue.drop(bestLength);
        emitter.match({ tokens, outputs: outputsOf(best), isOriginalKept: best.isOriginalKept });
      }
    };
    return {
      token: (token) => {
        queue.push(copyToken(token, createToken()));
        drain(false);
      },
      end: (endOffset, trailing) => {
        drain(true);
        emitter.end();
        next.end(endOffset, trailing);
      },
    };
  };
  return { apply };
}

/** The longest match from the head of the queue, searched incrementally as tokens arrive. */
class TrieWalk {
  /** Tokens walked. */
  length = 0;
  best: Node | undefined;
  bestLength = 0;
  private readonly root: Node;
  private node: Node;

  constructor(root: Node) {
    this.root = root;
    this.node = root;
  }

  advance(queue: TokenQueue<Token>): "decided" | "undecided" {
    while (this.length < queue.length) {
      const child = this.node.next.get(queue.at(this.length).term);
      if (child === undefined) return "decided";
      this.node = child;
      this.length += 1;
      if (child.outputs.length === 0) continue;
      this.best = child;
      this.bestLength = this.length;
    }
    return this.node.next.size === 0 ? "decided" : "undecided";
  }

  restart(): void {
    this.length = 0;
    this.node = this.root;
    this.best = undefined;
    this.bestLength = 0;
  }
}

/** Characters charged per waiting synonym in addition to those of a token. */
const PENDING = 16;

/** A synonym that waits for its position. Without an end offset it takes that of the token at its position. */
interface Pending {
  readonly term: string;
  readonly endOffset: number | undefined;
  readonly positionLength: number;
}

/**
 * Stacks the n-th words of all alternatives on the n-th position from the match on; words beyond the match follow at
 * later positions.
 */
export const emitFlat: CreateEmitter = (next, growth) => {
  /** Synonyms by position, from the next position on. */
  const pending = new TokenQueue<Pending[]>();
  const last = createToken();
  const out = createToken();
  const emitAt = (token: Readonly<Token>, isKept: boolean): void => {
    copyToken(token, last);
    if (isKept) next.token(copyToken(token, out));
    let positionIncrement = isKept ? 0 : 1;
    const here = pending.length === 0 ? [] : pending.at(0);
    if (pending.length > 0) pending.drop(1);
    for (const { term, endOffset = token.endOffset, positionLength } of here) {
      const { startOffset } = token;
      const synonym = {
        term,
        type: "SYNONYM",
        startOffset,
        endOffset,
        positionLength,
        positionIncrement,
      };
      next.token(Object.assign(out, synonym, { keyword: false }));
      positionIncrement = 0;
    }
  };
  return {
    plain: (token) => emitAt(token, true),
    match: ({ tokens, outputs, isOriginalKept }) => {
      const end = tokens.at(-1)?.endOffset;
      for (const output of outputs) {
        const isSingle = output.length === 1;
        const positionLength = isSingle && isOriginalKept ? tokens.length : 1;
        for (const [i, term] of output.entries()) {
          growth().token(PENDING);
          if (i === pending.length) pending.push([]);
          pending.at(i).push({ term, endOffset: isSingle ? end : undefined, positionLength });
        }
      }
      for (const token of tokens) emitAt(token, isOriginalKept);
    },
    end: () => {
      while (pending.length > 0) emitAt({ ...last }, false);
    },
  };
};

/** Makes each alternative a path of its own: all paths leave the same node and end in the same node. */
export const emitGraph: CreateEmitter = (next) => {
  // Nodes of the graph are positions; a token is an edge between two of them.
  let lastNode = -1;
  let nextNode = 0;
  const out = createToken();
  const emit = (token: Readonly<Token>, from: number, to: number): void => {
    copyToken(token, out);
    out.positionIncrement = from - lastNode;
    out.positionLength = to - from;
    lastNode = from;
    next.token(out);
  };
  return {
    plain: (token) => {
      lastNode += token.positionIncrement;
      nextNode = lastNode + token.positionLength;
      next.token(token);
    },
    match: ({ tokens, outputs, isOriginalKept }) => {
      const start = nextNode;
      const synonymAt = synonymsOver(tokens);
      const paths: (readonly Token[])[] = outputs.map((output) => output.map(synonymAt));
      // The original path comes last, or offsets would decrease.
      if (isOriginalKept) paths.push(tokens);
      const inner = paths.reduce((sum, path) => sum + path.length - 1, 0);
      const end = start + inner + 1;
      let used = start;
      const firsts = paths.map((path) => {
        const to = path.length === 1 ? end : used + 1;
        used += path.length - 1;
        return to;
      });
      for (const [i, [first]] of paths.entries()) if (first) emit(first, start, firsts[i] ?? end);
      for (const [i, path] of paths.entries()) {
        let from = firsts[i] ?? end;
        for (const [j, token] of path.slice(1).entries()) {
          const isLast = j === path.length - 2;
          emit(token, from, isLast ? end : from + 1);
          from += 1;
        }
      }
      nextNode = end;
    },
    end: () => {
      lastNode = -1;
      nextNode = 0;
    },
  };
};

function synonymsOver(tokens: readonly Token[]): (term: string) => Token {
  const startOffset = tokens[0]?.startOffset ?? 0;
  const endOffset = tokens.at(-1)?.endOffset ?? 0;
  return (term) => ({ ...createToken(), term, type: "SYNONYM", startOffset, endOffset });
}
