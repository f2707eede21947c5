/** Built-in analyzers by type, which is also their name without settings. To add one: a file, a member of `AnalyzerType`, a row. */
import type { PartContext } from "../parts.ts";
import type { Definition } from "../settings.ts";
import type { Analyzer } from "../types.ts";
import { keyword, simple, stop, whitespace } from "./character.ts";
import { english } from "./english.ts";
import { pattern } from "./pattern.ts";
import { standard } from "./standard.ts";

/** Builds an analyzer; throws for invalid settings. */
export type AnalyzerFactory = (definition: Definition, context: PartContext) => Analyzer;

export type AnalyzerType =
  | "default"
  | "english"
  | "keyword"
  | "pattern"
  | "simple"
  | "standard"
  | "stop"
  | "whitespace";

export const analyzers: Readonly<Record<AnalyzerType, AnalyzerFactory>> = {
  default: standard,
  english,
  keyword,
  pattern,
  simple,
  standard,
  stop,
  whitespace,
};
