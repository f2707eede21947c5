/**
 * Judgement of reading and running a scenario: it is rejected in a sentence that names the place, or ends with a
 * verdict, whichever it is.
 */
import { parsePlan, parseScenario, refusalOf, runScenario, type Plan } from "@orrery/scenario";
import { isJsonObject, OperationError } from "@orrery/stdx";
import { readTree } from "../json/json-text.ts";
import type { Finding, Outcome } from "../target.ts";
import { pattern, placeOf, scriptWord } from "../words.ts";
import { lab } from "../product.ts";

export interface ScenarioCase {
  /** Scenario file as text, or a plan as in a bundle. */
  readonly kind: "yaml" | "plan";
  readonly text: string;
}

const FILE = "fuzz.yaml";
/** Limits of a plan that is run: larger ones are only read, as they may take long. */
const MOST = { nodes: 7, virtualMs: 300_000, entries: 40 };
/** One in this number of valid plans is run; the others are only read. */
const RUN_ONE_OF = 4;

export async function judgeScenario(given: ScenarioCase, seed: number): Promise<Outcome> {
  const plan = read(given);
  if (plan === undefined) return {};
  if ("cause" in plan) return { finding: plan };
  if (refusalOf(plan, "sim") !== undefined || isLarge(plan)) return {};
  if (given.text.length % RUN_ONE_OF !== 0) return {};
  const verdict = await runScenario(plan, seed, lab);
  const told = [verdict.failure ?? "", ...verdict.doubts].join("\n");
  const word = scriptWord(told, given.text);
  if (word === undefined) return {};
  const line = told.slice(word.at).split("\n")[0] ?? "";
  return {
    finding: {
      cause: `verdict: ${pattern(line)} (${placeOf(told)})`,
      detail: told.slice(0, 500).replaceAll("\n", " "),
    },
  };
}

/** Plan, or a finding; `undefined` if it was rejected correctly. */
function read({ kind, text }: ScenarioCase): Plan | Finding | undefined {
  const inputs = { ...lab, readFile: () => ({ text: '{"a":1}\n{"a":2}\n' }) };
  try {
    if (kind === "yaml") return parseScenario(FILE, text, inputs);
    const tree = readTree(text);
    return isJsonObject(tree) ? parsePlan("fuzz", tree, inputs) : undefined;
  } catch (error) {
    return judgeRefusal(kind, text, error);
  }
}

function judgeRefusal(
  kind: ScenarioCase["kind"],
  text: string,
  error: unknown,
): Finding | undefined {
  if (!(error instanceof OperationError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const first = stack.split("\n")[0] ?? "";
    return {
      cause: `thrown: ${pattern(first)} (${placeOf(stack)})`,
      detail: stack.slice(0, 400).replaceAll("\n", " "),
    };
  }
  const { reason, type } = error.problem;
  const sentence = reason ?? type;
  const word =
    scriptWord(sentence, text) ??
    (/\bundefined\b/.test(sentence) && !text.includes("undefined")
      ? { word: "undefined" }
      : undefined);
  if (word !== undefined)
    return { cause: `js-text: ${pattern(sentence)}`, detail: sentence.slice(0, 400) };
  const hasPlace =
    kind === "yaml" ? /^fuzz\.yaml:\d+:\d+: \S/.test(sentence) : /^fuzz(: |$)/.test(sentence);
  if (!hasPlace) return { cause: `no place: ${pattern(sentence)}`, detail: sentence.slice(0, 400) };
  return undefined;
}

function isLarge({ clusters, phases, workload, timeline, faults, indices }: Plan): boolean {
  const nodes = clusters.reduce((sum, cluster) => sum + cluster.nodes.length, 0);
  const copies = indices.reduce((sum, { shards, replicas }) => sum + shards * (1 + replicas), 0);
  const entries = workload.length + timeline.length + faults.length + copies;
  return (
    nodes > MOST.nodes ||
    entries > MOST.entries ||
    phases.faultsMs + phases.convergeMs > MOST.virtualMs
  );
}
