/** Text analysis: `createAnalysis(settings)` returns the analyzers and normalizers of an index by name. */
export { createAnalysis } from "./analysis.ts";
export { DEFAULT_LIMITS } from "./parts.ts";
export { ENGLISH_STOP_WORDS } from "./stop-words.ts";
export type { AnalysisLimits } from "./parts.ts";
export { Growth, QUERY_GROWTH } from "./growth.ts";
export { pushTerm, type TermPlace } from "./term-bytes.ts";
export { hashTerm } from "./term-hash.ts";
export type {
  Analysis,
  AnalysisSettings,
  AnalyzedToken,
  Analyzer,
  CustomParts,
  ExplainedStage,
  Normalizer,
  PartReference,
  SettingValue,
  TermBytesSink,
  Token,
  TokenVisitor,
} from "./types.ts";
