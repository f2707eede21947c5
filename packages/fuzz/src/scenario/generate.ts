/** Generator of scenarios: one of the library with one or two changes, with damaged text, or plain bytes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, type Random } from "@orrery/stdx";
import { parse } from "yaml";
import { writeTree } from "../json/json-text.ts";
import { mutateTree, type Vocabulary } from "../json/mutate-json.ts";
import { nastyText } from "../json/nasty.ts";
import { lab } from "../product.ts";
import type { ScenarioCase } from "./judge.ts";
import { writePlan, parseScenario } from "@orrery/scenario";

interface Library {
  readonly texts: readonly string[];
  readonly trees: readonly Json[];
  /** Plans in the form of bundles. */
  readonly plans: readonly Json[];
  readonly words: Vocabulary;
}

const folder = join(import.meta.dirname, "../../../../scenarios");
let library: Library | undefined;

function readLibrary(): Library {
  library ??= load();
  return library;
}

function load(): Library {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .toSorted();
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  const trees = texts.map((text) => parse(text) as Json);
  const plans = files.flatMap((file, i) => planOf(file, texts[i] ?? ""));
  const keys = new Set<string>();
  const parts: Json[] = [];
  for (const tree of trees) gather(tree, keys, parts);
  return { texts, trees, plans, words: { fields: [...keys], parts } };
}

/** Written plan of a scenario, as a list that is empty if the scenario needs another file. */
function planOf(file: string, text: string): Json[] {
  if (text.includes("file:")) return [];
  return [writePlan(parseScenario(file, text, lab))];
}

function gather(tree: Json, keys: Set<string>, parts: Json[]): void {
  if (typeof tree !== "object" || tree === null) return;
  if (isJsonObject(tree)) for (const key of Object.keys(tree)) keys.add(key);
  for (const value of Object.values(tree) as Json[]) {
    parts.push(value);
    gather(value, keys, parts);
  }
}

export function drawScenario(random: Random): ScenarioCase {
  const { texts, trees, plans, words } = readLibrary();
  switch (random.int(0, 9)) {
    case 0:
      return { kind: "yaml", text: damaged(random, random.pick(texts)) };
    case 1:
      return {
        kind: "yaml",
        text: random.pick([nastyText(random), latin1(random.bytes(random.int(0, 200)))]),
      };
    case 2:
    case 3:
    case 4:
      return { kind: "plan", text: writeTree(mutateTree(random, random.pick(plans), words)) };
    default:
      return { kind: "yaml", text: writeTree(mutateTree(random, random.pick(trees), words)) };
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

const SNIPPETS = [
  ...[
    "\t",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!binary ",
    "? ",
    "- ",
    "{",
    "}",
    "[",
    ": ",
    "\u0000",
    "\ud800",
    "|",
    ">-",
    "#",
  ],
  ...[
    "__proto__: {}\n",
    "%TAG ! x\n",
    "---\n",
    "...\n",
    "!!js/function x",
    "'",
    '"',
    "0x",
    ".inf",
    "1e999",
    "~",
  ],
];

function damaged(random: Random, text: string): string {
  const lines = text.split("\n");
  const at = random.int(0, lines.length - 1);
  const inLine = random.int(0, lines[at]?.length ?? 0);
  const line = lines[at] ?? "";
  switch (random.int(0, 6)) {
    case 0:
      return text.slice(0, random.int(0, text.length));
    case 1:
      return [...lines.slice(0, at), line, ...lines.slice(at)].join("\n");
    case 2:
      return [...lines.slice(0, at), ...lines.slice(at + 1)].join("\n");
    case 3:
      return [
        ...lines.slice(0, at),
        `${" ".repeat(random.int(1, 6))}${line}`,
        ...lines.slice(at + 1),
      ].join("\n");
    case 4:
      return [
        ...lines.slice(0, at),
        line.replace(/: .*/, `: ${nastyText(random).slice(0, 200)}`),
        ...lines.slice(at + 1),
      ].join("\n");
    default:
      return [
        ...lines.slice(0, at),
        line.slice(0, inLine) + random.pick(SNIPPETS) + line.slice(inLine),
        ...lines.slice(at + 1),
      ].join("\n");
  }
}
