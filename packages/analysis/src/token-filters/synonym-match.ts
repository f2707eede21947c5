/** Finds the longest matches of synonym rules in a token stream and lays their alternatives, flat or as a graph. */
import { copyToken, createToken } from "../token.ts";
import type { Token, TokenFilter, TokenSink } from "../types.ts";

/** A trie over terms. */
export interface Node {
  readonly next: Map<string, Node>;
  /** What a match that ends here becomes; each alternative is a phrase. */
  readonly outputs: (readonly string[])[];
  isOriginalKept: boolean;
}

export function newNode(): Node {
  return { next: new Map(), outputs: [], isOriginalKept: false };
}

interface Match {
  readonly tokens: readonly Token[];
  readonly outputs: readonly (readonly string[])[];
  readonly isOriginalKept: boolean;
}

/** Passes on what lies between matches, and what matches become. */
interface Layer {
  plain(token: Token): void;
  match(match: Match): void;
  /** The text is over. */
  end(): void;
}

export type CreateLayer = (next: TokenSink) => Layer;

export function createSynonymFilter(root: Node, createLayer: CreateLayer): TokenFilter {
  const apply = (next: TokenSink): TokenSink => {
    const layer = createLayer(next);
    const queue: Token[] = [];
    const drain = (isOver: boolean): void => {
      while (queue.length > 0) {
        const found = longestMatch(root, queue, isOver);
        if (found === "undecided") return;
        if (found === undefined) layer.plain(queue.shift() as Token);
        else {
          const { outputs, isOriginalKept } = found.node;
          layer.match({ tokens: queue.splice(0, found.length), outputs, isOriginalKept });
        }
      }
    };
    return {
      token: (token) => {
        queue.push(copyToken(token, createToken()));
        drain(false);
      },
      end: (endOffset, trailing) => {
        drain(true);
        layer.end();
        next.end(endOffset, trailing);
      },
    };
  };
  return { apply };
}

function longestMatch(
  root: Node,
  queue: readonly Token[],
  isOver: boolean,
): { readonly node: Node; readonly length: number } | "undecided" | undefined {
  let node: Node | undefined = root;
  let best: { readonly node: Node; readonly length: number } | undefined;
  for (const [i, token] of queue.entries()) {
    node = node.next.get(token.term);
    if (node === undefined) return best;
    if (node.outputs.length > 0) best = { node, length: i + 1 };
  }
  return isOver || node.next.size === 0 ? best : "undecided";
}

/** A synonym waiting for its position; without an end offset it takes that of the token it lies on. */
interface Pending {
  readonly term: string;
  readonly endOffset: number | undefined;
  readonly positionLength: number;
}

export const layFlat: CreateLayer = (next) => {
  /** Per position from the next one on. */
  let pending: Pending[][] = [];
  const last = createToken();
  const out = createToken();
  const lay = (token: Readonly<Token>, isKept: boolean): void => {
    copyToken(token, last);
    if (isKept) next.token(copyToken(token, out));
    let positionIncrement = isKept ? 0 : 1;
    for (const { term, endOffset = token.endOffset, positionLength } of pending.shift() ?? []) {
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
    plain: (token) => lay(token, true),
    match: ({ tokens, outputs, isOriginalKept }) => {
      const end = tokens.at(-1)?.endOffset;
      for (const output of outputs) {
        const isSingle = output.length === 1;
        const positionLength = isSingle && isOriginalKept ? tokens.length : 1;
        for (const [i, term] of output.entries()) {
          (pending[i] ??= []).push({ term, endOffset: isSingle ? end : undefined, positionLength });
        }
      }
      for (const token of tokens) lay(token, isOriginalKept);
    },
    end: () => {
      while (pending.length > 0) lay({ ...last }, false);
      pending = [];
    },
  };
};

export const layGraph: CreateLayer = (next) => {
  // Nodes are positions of the graph; a token goes from one to another.
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
      // The original comes last, else offsets would go backwards.
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
