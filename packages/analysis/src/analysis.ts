/**
 * The analysis of one index: analyzers and normalizers by name. All names in the settings are resolved at creation,
 * so that an invalid definition is refused before the index exists.
 */
import { illegalArgument, OperationError, problemOf, type Problem } from "@orrery/stdx";
import { createCustomAnalyzer } from "./analyzers/custom.ts";
import { analyzers as builtIn, type AnalyzerType } from "./analyzers/table.ts";
import { createCustom, explainCustom } from "./custom-parts.ts";
import { createCustomNormalizer } from "./normalizers/custom.ts";
import { normalizers as builtInNormalizers } from "./normalizers/table.ts";
import { createPartFinder, type PartFinder } from "./part-finder.ts";
import { DEFAULT_LIMITS, type AnalysisLimits } from "./parts.ts";
import { isDefinition, readObject, readText, type Definition } from "./settings.ts";
import { StreamRefusal } from "./stream-refusal.ts";
import type { Analysis, AnalysisSettings, Analyzer, Normalizer } from "./types.ts";

/**
 * Builds the analysis. `settings` is the object under `index.analysis`, nested; `{}` gives the built-in parts alone.
 * `limits` are index settings outside of it. Throws `OperationError` for an invalid definition.
 */
export function createAnalysis(
  settings: AnalysisSettings = {},
  limits: Partial<AnalysisLimits> = {},
): Analysis {
  const allLimits: AnalysisLimits = { ...DEFAULT_LIMITS, ...limits };
  const find = createPartFinder(settings, allLimits);
  find.checkAll();
  const analyzers = createDefined(settings, find, allLimits);
  const normalizers = createNormalizers(settings, find);
  for (const name of analyzers.keys()) {
    if (!name.startsWith("_")) continue;
    throw illegalArgument(`analyzer name must not start with '_'. got "${name}"`);
  }
  const findAnalyzer = (name: string): Analyzer | undefined => {
    const known = analyzers.get(name);
    if (known !== undefined || !isBuiltIn(name)) return known;
    // oxlint-disable-next-line orrery/client-keys -- one of its own names, as asked above
    const created = builtIn[name]({}, { name, limits: allLimits });
    analyzers.set(name, created);
    return created;
  };
  const analyzer = (name: string): Analyzer => {
    const found = findAnalyzer(name);
    if (found === undefined) throw illegalArgument(`failed to find analyzer [${name}]`);
    return found;
  };
  const findNormalizer = (name: string): Normalizer | undefined =>
    normalizers.get(name) ?? builtInNormalizers.get(name);
  const defaultAnalyzer = analyzer("default");
  return {
    analyzer,
    hasAnalyzer: (name) => findAnalyzer(name) !== undefined,
    normalizer: (name) => {
      const found = findNormalizer(name);
      if (found === undefined) throw illegalArgument(`failed to find normalizer under [${name}]`);
      return found;
    },
    hasNormalizer: (name) => findNormalizer(name) !== undefined,
    defaultAnalyzer,
    searchAnalyzer: analyzers.get("default_search"),
    searchQuoteAnalyzer: analyzers.get("default_search_quoted"),
    custom: (parts) => createCustom(parts, createPartFinder(settings, allLimits)),
    explain: (parts, text) => explainCustom(parts, createPartFinder(settings, allLimits), text),
  };
}

function isBuiltIn(name: string): name is AnalyzerType {
  return Object.hasOwn(builtIn, name);
}

function createDefined(
  settings: Definition,
  find: PartFinder,
  limits: AnalysisLimits,
): Map<string, Analyzer> {
  const created = new Map<string, Analyzer>();
  const failures = new Map<string, Problem>();
  for (const [name, definition] of Object.entries(readObject(settings, "analyzer"))) {
    if (!isDefinition(definition)) continue;
    const type = readText(definition, "type");
    if (type === undefined && definition["tokenizer"] === undefined) {
      throw illegalArgument(
        `analyzer [${name}] must specify either an analyzer type, or a tokenizer`,
      );
    }
    if (type !== undefined && type !== "custom") {
      if (!isBuiltIn(type)) throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
    }
    const isCustom = type === undefined || type === "custom";
    try {
      const analyzer = isCustom
        ? createCustomAnalyzer(name, definition, find)
        : builtIn[type](definition, { name, limits });
      created.set(name, analyzer);
    } catch (error) {
      const isFailure = isCustom ? error instanceof OperationError : error instanceof StreamRefusal;
      if (!isFailure) throw error;
      failures.set(name, problemOf(error));
    }
  }
  if (failures.size > 0) throw failedToBuild(failures);
  return created;
}

function failedToBuild(failures: ReadonlyMap<string, Problem>): OperationError {
  return new OperationError({
    type: "illegal_argument_exception",
    reason: `Failed to build analyzers: [${[...failures.keys()].join(", ")}]`,
    status: 400,
    suppressed: [...failures].map(([name, problem]) => ({
      type: "illegal_argument_exception",
      reason: `[${name}] ${problem.reason}`,
      status: 400,
      causedBy: problem,
    })),
  });
}

function createNormalizers(settings: Definition, find: PartFinder): Map<string, Normalizer> {
  const created = new Map<string, Normalizer>();
  for (const [name, definition] of Object.entries(readObject(settings, "normalizer"))) {
    if (!isDefinition(definition)) continue;
    const type = readText(definition, "type");
    const known = type === undefined ? undefined : builtInNormalizers.get(type);
    if (known !== undefined) created.set(name, { ...known, name });
    else if (type === undefined || type === "custom") {
      created.set(name, createCustomNormalizer(name, definition, find));
    } else throw illegalArgument(`Unknown normalizer type [${type}] for [${name}]`);
  }
  return created;
}
