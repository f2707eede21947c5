/**
 * The token filters `synonym` and `synonym_graph`, with rules in Solr's format (`a, b => c` and `a, b`); the longest
 * match wins.
 *
 * Rules are analysed by the parts before the filter in its analyzer, so that rules and texts have the same form.
 * `synonym` stacks alternatives flat on the positions from the match on, like Lucene's `SynonymFilter`;
 * `synonym_graph` makes each a path from the start of the match to its end, like `SynonymGraphFilter`.
 */
import { javaText, illegalArgument } from "@orrery/stdx";
import type { Preceding } from "../parts.ts";
import { readBoolean, refuseFile, type Definition } from "../settings.ts";
import type { Growth } from "../growth.ts";
import {
  createSynonymFilter,
  emitFlat,
  emitGraph,
  newNode,
  type Alternatives,
  type Node,
} from "./synonym-match.ts";
import type { TokenFilterContext, TokenFilterFactory } from "./table.ts";

export const synonym: TokenFilterFactory = (definition, context) =>
  createSynonymFilter(readRules(definition, context), emitFlat);

export const synonymGraph: TokenFilterFactory = (definition, context) =>
  createSynonymFilter(readRules(definition, context), emitGraph);

function readRules(definition: Definition, { preceding, growth }: TokenFilterContext): Node {
  const listed = definition["synonyms"];
  const isListed = listed !== undefined && listed !== null;
  // Without a list of rules the product's message repeats the suffix of the setting's name.
  refuseFile(definition, "synonyms_path", isListed ? "synonyms_path" : "synonyms_path_path");
  if (!isListed) {
    throw illegalArgument("synonym requires either `synonyms` or `synonyms_path` to be configured");
  }
  growth.characters(RULE * (Array.isArray(listed) ? listed.length : 1));
  const rules = Array.isArray(listed) ? listed.map(String) : javaText(listed).split("\n");
  const root = newNode();
  const isExpanding = readBoolean(definition, "expand", true);
  const isLenient = readBoolean(definition, "lenient", false);
  for (const rule of rules) {
    const trimmed = rule.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    try {
      addRule(root, trimmed, { isExpanding, preceding, growth });
    } catch (error) {
      if (!isLenient) throw error;
    }
  }
  return root;
}

/** Characters charged per rule, and per phrase of one, for its nodes and lists. */
const RULE = 256;

interface RuleOptions {
  readonly isExpanding: boolean;
  readonly preceding: Preceding | undefined;
  readonly growth: Growth;
}

function addRule(root: Node, rule: string, options: RuleOptions): void {
  const sides = rule.split(/(?<!\\)=>/);
  if (sides.length > 2)
    throw illegalArgument("more than one explicit mapping specified on the same line");
  const [left = [], right] = sides.map((side) =>
    side.split(/(?<!\\),/).map((phrase) => analysePhrase(phrase, options)),
  );
  if (right !== undefined) {
    for (const input of left) add(root, input, { phrases: right, except: undefined }, false);
    return;
  }
  if (!options.isExpanding) {
    for (const input of left)
      add(root, input, { phrases: left.slice(0, 1), except: undefined }, false);
    return;
  }
  for (const input of left) add(root, input, { phrases: left, except: input }, true);
}

function add(
  root: Node,
  input: readonly string[],
  outputs: Alternatives,
  isOriginalKept: boolean,
): void {
  let node = root;
  for (const term of input) {
    const child = node.next.get(term) ?? newNode();
    node.next.set(term, child);
    node = child;
  }
  if (outputs.phrases.length > (outputs.except === undefined ? 0 : 1)) node.outputs.push(outputs);
  node.isOriginalKept ||= isOriginalKept;
}

function analysePhrase(phrase: string, { preceding, growth }: RuleOptions): readonly string[] {
  growth.characters(RULE);
  const text = phrase.replaceAll(/\\(.)/g, "$1").trim();
  const terms = preceding === undefined ? text.split(/\s+/) : preceding.terms(text, growth);
  if (terms.length > 0 && text !== "") return terms;
  throw illegalArgument(`term: ${text} was completely eliminated by analyzer`);
}
