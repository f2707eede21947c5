/** Analysis settings of an index: what they define, and how bad ones are refused. */
import { OperationError, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createAnalysis, type AnalysisSettings } from "../src/index.ts";

function problemOf(settings: AnalysisSettings): Problem {
  try {
    createAnalysis(settings);
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  throw new Error("accepted");
}

describe("index settings", () => {
  test("define analyzers from parts, under their names", () => {
    const analysis = createAnalysis({
      analyzer: {
        folded: {
          type: "custom",
          tokenizer: "standard",
          filter: ["lowercase", "my_stop"],
          char_filter: "html_strip",
          position_increment_gap: "7",
        },
        default: { type: "simple" },
      },
      filter: { my_stop: { type: "stop", stopwords: "one,two" } },
      normalizer: { plain: { type: "custom", filter: ["lowercase", "asciifolding"] } },
    });

    expect(analysis.analyzer("folded").terms("<i>One</i> two THREE")).toEqual(["three"]);
    expect(analysis.analyzer("folded").positionIncrementGap).toBe(7);
    expect(analysis.defaultAnalyzer.terms("a1b")).toEqual(["a", "b"]);
    expect(analysis.normalizer("plain").normalize("ÉCOLE")).toBe("ecole");
    expect(analysis.normalizer("lowercase").normalize("ÉCOLE")).toBe("école");
    expect(analysis.analyzer("folded").normalize("ÀB*")).toBe("àb*");
  });

  test.each([
    [{ analyzer: { x: { type: "foo" } } }, "Unknown analyzer type [foo] for [x]"],
    [{ tokenizer: { x: { type: "foo" } } }, "Unknown tokenizer type [foo] for [x]"],
    [{ filter: { x: { type: "foo" } } }, "Unknown filter type [foo] for [x]"],
    [{ normalizer: { x: { type: "foo" } } }, "Unknown normalizer type [foo] for [x]"],
    [
      { analyzer: { x: { filter: ["lowercase"] } } },
      "analyzer [x] must specify either an analyzer type, or a tokenizer",
    ],
    [
      { normalizer: { x: { type: "custom", filter: ["stop"] } } },
      "Custom normalizer [x] may not use filter [stop]",
    ],
    [
      { normalizer: { x: { type: "custom", tokenizer: "standard" } } },
      "Custom normalizer [x] cannot configure a tokenizer",
    ],
    [
      { filter: { x: { type: "stemmer", language: "zip" } } },
      "Invalid stemmer class specified: Zip",
    ],
    [{ filter: { x: { type: "truncate", length: 0 } } }, "length parameter must be provided"],
    [{ tokenizer: { x: { type: "pattern", flags: "FOO" } } }, "Unknown regex flag [FOO]"],
    [{ tokenizer: { x: { type: "pattern", pattern: "(" } } }, "Unclosed group near index 1\n("],
    [
      { char_filter: { x: { type: "mapping", mappings: ["a"] } } },
      "Line [1]: Invalid mapping rule : [a]",
    ],
    [
      { filter: { x: { type: "length", min: "foo" } } },
      "Failed to parse int setting [min] with value [foo]",
    ],
  ])("are refused as OpenSearch refuses them: %j", (settings, reason) => {
    expect(problemOf(settings).reason).toBe(reason);
  });

  test("collect what is wrong with custom analyzers", () => {
    const problem = problemOf({
      analyzer: {
        a: { type: "custom", tokenizer: "nope" },
        b: { type: "custom", tokenizer: "standard", filter: ["nope"] },
        c: { type: "custom" },
      },
    });

    expect(problem.reason).toBe("Failed to build analyzers: [a, b, c]");
    expect(problem.suppressed?.map(({ reason }) => reason)).toEqual([
      "[a] Custom Analyzer [a] failed to find tokenizer under name [nope]",
      "[b] Custom Analyzer [b] failed to find filter under name [nope]",
      "[c] Custom Analyzer [c] must be configured with a tokenizer",
    ]);
  });
});
