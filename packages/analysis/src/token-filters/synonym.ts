/**
 * Synonyms by Solr rules (`a, b => c` and `a, b`): the longest match wins, its alternatives stack on its positions.
 *
 * Rules are analysed with the parts before this filter in its analyzer, so a rule and a text meet in the same form.
 * Alternatives longer than the match run on over the following positions, as Lucene's `SynonymFilter` lays them;
 * `synonym_graph` differs in the position length only.
 */
import { illegalArgument } from "@orrery/stdx";
import type { Preceding } from "../parts.ts";
import { readBoolean, readList, type Definition } from "../settings.ts";
import { copyToken, createToken } from "../token.ts";
import type { Token, TokenFilter, TokenSink } from "../types.ts";
import type { TokenFilterFactory } from "./table.ts";

export const synonym: TokenFilterFactory = (definition, context) => {
  const { preceding } = context;
  const rules = readList(definition, "synonyms");
  if (rules === undefined) {
    throw illegalArgument("synonym requires either `synonyms` or `synonyms_path` to be configured");
  }
  return createSynonymFilter(readRules(definition, preceding));
};

/** A trie over terms. */
interface Node {
  readonly next: Map<string, Node>;
  /** What a match that ends here becomes; each alternative is a phrase. */
  outputs: (readonly string[])[];
  isOriginalKept: boolean;
}

function newNode(): Node {
  return { next: new Map(), outputs: [], isOriginalKept: false };
}

function readRules(definition: Definition, preceding: Preceding | undefined): Node {
  const root = newNode();
  const isExpanding = readBoolean(definition, "expand", true);
  const isLenient = readBoolean(definition, "lenient", false);
  const listed = definition["synonyms"];
  const rules = Array.isArray(listed) ? listed.map(String) : String(listed).split("\n");
  for (const rule of rules) {
    const trimmed = rule.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    try {
      addRule(root, trimmed, { isExpanding, preceding });
    } catch (error) {
      if (!isLenient) throw error;
    }
  }
  return root;
}

interface RuleOptions {
  readonly isExpanding: boolean;
  readonly preceding: Preceding | undefined;
}

function addRule(root: Node, rule: string, { isExpanding, preceding }: RuleOptions): void {
  const sides = rule.split(/(?<!\\)=>/);
  if (sides.length > 2)
    throw illegalArgument("more than one explicit mapping specified on the same line");
  const [left = [], right] = sides.map((side) =>
    side.split(/(?<!\\),/).map((phrase) => analysePhrase(phrase, preceding)),
  );
  if (right !== undefined) {
    for (const input of left) add(root, input, right, false);
    return;
  }
  if (!isExpanding) {
    for (const input of left) add(root, input, left.slice(0, 1), false);
    return;
  }
  for (const input of left) {
    add(
      root,
      input,
      left.filter((other) => other !== input),
      true,
    );
  }
}

function add(
  root: Node,
  input: readonly string[],
  outputs: readonly (readonly string[])[],
  isOriginalKept: boolean,
): void {
  let node = root;
  for (const term of input) {
    const child = node.next.get(term) ?? newNode();
    node.next.set(term, child);
    node = child;
  }
  const known = new Set(node.outputs.map((output) => output.join("\0")));
  node.outputs.push(...outputs.filter((output) => !known.has(output.join("\0"))));
  node.isOriginalKept ||= isOriginalKept;
}

function analysePhrase(phrase: string, preceding: Preceding | undefined): readonly string[] {
  const text = phrase.replaceAll(/\\(.)/g, "$1").trim();
  const terms = preceding === undefined ? text.split(/\s+/) : preceding.terms(text);
  if (terms.length > 0 && text !== "") return terms;
  throw illegalArgument(`term: ${text} was completely eliminated by analyzer`);
}

function createSynonymFilter(root: Node): TokenFilter {
  return { apply: (next) => createSynonymSink(root, next) };
}

/** Terms to be laid on the positions to come, in order. */
type Pending = string[][];

function createSynonymSink(root: Node, next: TokenSink): TokenSink {
  const queue: Token[] = [];
  let pending: Pending = [];
  const out = createToken();
  const push = (token: Readonly<Token>, change: Partial<Token>): void => {
    next.token(Object.assign(copyToken(token, out), change));
  };
  const stack = (token: Readonly<Token>, terms: readonly string[], isFirst: boolean): void => {
    for (const [i, term] of terms.entries()) {
      const positionIncrement = isFirst && i === 0 ? token.positionIncrement : 0;
      push(token, { term, type: "SYNONYM", positionIncrement });
    }
  };
  /** Lays one token and the pending synonyms of its position. */
  const lay = (token: Readonly<Token>, isKept: boolean): void => {
    const stacked = pending.shift() ?? [];
    if (isKept) push(token, {});
    stack(token, stacked, !isKept);
  };
  const replace = (match: Match): void => {
    const tokens = queue.splice(0, match.length);
    const [first] = tokens;
    const last = tokens.at(-1);
    if (first === undefined || last === undefined) return;
    for (const output of match.node.outputs) {
      for (const [i, term] of output.entries()) (pending[i] ??= []).push(term);
    }
    const whole = { ...first, endOffset: last.endOffset };
    if (match.node.isOriginalKept) for (const token of tokens) lay(token, true);
    else lay(whole, false);
    const positions = match.node.isOriginalKept ? tokens.length : 1;
    const isLongest = Math.max(...match.node.outputs.map((output) => output.length)) > positions;
    // What the match replaced has no place for the rest of a longer phrase unless more tokens follow.
    if (isLongest && !match.node.isOriginalKept) {
      while (pending.length > 0) lay({ ...whole, positionIncrement: 1 }, false);
    }
  };
  const drain = (isOver: boolean): void => {
    while (queue.length > 0) {
      const match = longestMatch(root, queue, isOver);
      if (match === "undecided") return;
      if (match !== undefined) replace(match);
      else lay(queue.shift() as Token, true);
    }
  };
  return {
    token: (token) => {
      queue.push(copyToken(token, createToken()));
      drain(false);
    },
    end: (endOffset, trailing) => {
      drain(true);
      const rest = { ...createToken(), startOffset: endOffset, endOffset };
      while (pending.length > 0) lay({ ...rest, ...out, positionIncrement: 1 }, false);
      pending = [];
      next.end(endOffset, trailing);
    },
  };
}

interface Match {
  readonly node: Node;
  readonly length: number;
}

function longestMatch(
  root: Node,
  queue: readonly Token[],
  isOver: boolean,
): Match | "undecided" | undefined {
  let node: Node | undefined = root;
  let best: Match | undefined;
  for (const [i, token] of queue.entries()) {
    node = node.next.get(token.term);
    if (node === undefined) return best;
    if (node.outputs.length > 0) best = { node, length: i + 1 };
  }
  return isOver || node.next.size === 0 ? best : "undecided";
}
