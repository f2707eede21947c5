/** Smaller scenarios: without parts of the tree, or lines of the text. */
import { readTree, writeTree } from "../json/json-text.ts";
import { changeAt, pathsOf } from "../json/mutate-json.ts";
import type { ScenarioCase } from "./judge.ts";

const MOST_PATHS = 200;

export function* shrinkScenario(given: ScenarioCase): Iterable<ScenarioCase> {
  const tree = readTree(given.text);
  if (tree === undefined) {
    const lines = given.text.split("\n");
    for (
      let stretch = Math.floor(lines.length / 2);
      stretch >= 1;
      stretch = Math.floor(stretch / 2)
    ) {
      for (let from = 0; from < lines.length; from += stretch)
        yield {
          ...given,
          text: [...lines.slice(0, from), ...lines.slice(from + stretch)].join("\n"),
        };
    }
    return;
  }
  for (const path of pathsOf(tree, MOST_PATHS).slice(1)) {
    const text = writeTree(changeAt(tree, path, () => undefined));
    if (text.length < given.text.length) yield { ...given, text };
  }
}
