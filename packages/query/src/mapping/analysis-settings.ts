/**
 * The `index.analysis.*` settings of an index, which are flat, as the nested object that
 * `createAnalysis` reads. The analysis is made once for each settings value.
 */
import { lookup, setKey } from "@orrery/stdx";
import {
  createAnalysis,
  DEFAULT_LIMITS,
  type Analysis,
  type AnalysisSettings,
  type SettingValue,
} from "@orrery/analysis";
import type { IndexSettings } from "../language/mapping.ts";

/** Settings objects are immutable and shared by every mapping of an index; keys are weak. */
const made = new WeakMap<IndexSettings, Analysis>();

/**
 * The analyzers and normalizers of an index.
 * @throws OperationError 400 for settings of which no analyzer can be made
 */
export function analysisOf(settings: IndexSettings): Analysis {
  const known = made.get(settings);
  if (known !== undefined) return known;
  const analysis = createAnalysis(analysisSettings(settings), {
    maxNgramDiff: limitOf(settings, "index.max_ngram_diff", DEFAULT_LIMITS.maxNgramDiff),
    maxShingleDiff: limitOf(settings, "index.max_shingle_diff", DEFAULT_LIMITS.maxShingleDiff),
  });
  made.set(settings, analysis);
  return analysis;
}

/** A limit from the settings. */
function limitOf(settings: IndexSettings, name: string, fallback: number): number {
  const value = lookup(settings, name);
  return typeof value === "string" ? Number(value) : fallback;
}

/**
 * Checks the analysis settings, by building the analyzers.
 * @throws OperationError 400
 */
export function checkAnalysis(settings: IndexSettings): void {
  analysisOf(settings);
}

const PREFIX = "index.analysis.";

function analysisSettings(settings: IndexSettings): AnalysisSettings {
  const root: MutableNode = {};
  for (const [key, value] of Object.entries(settings)) {
    if (!key.startsWith(PREFIX)) continue;
    const path = key.slice(PREFIX.length).split(".");
    let node = root;
    for (const step of path.slice(0, -1)) {
      const next = lookup(node, step);
      if (typeof next === "object" && next !== null && !Array.isArray(next)) {
        node = next as MutableNode;
      } else {
        const inner: MutableNode = {};
        setKey(node, step, inner);
        node = inner;
      }
    }
    setKey(node, path.at(-1) ?? "", value);
  }
  return root;
}

interface MutableNode {
  [key: string]: SettingValue;
}
