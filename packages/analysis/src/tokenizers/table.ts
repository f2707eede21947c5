/** Tokenizers by type. To add one: a file, a member of `TokenizerType`, a row. */
import type { PartContext } from "../parts.ts";
import type { Definition } from "../settings.ts";
import type { Tokenizer } from "../types.ts";
import { edgeNgram } from "./edge-ngram.ts";
import { keyword } from "./keyword.ts";
import { letter } from "./letter.ts";
import { lowercase } from "./lowercase.ts";
import { ngram } from "./ngram.ts";
import { pattern } from "./pattern.ts";
import { standard } from "./standard.ts";
import { whitespace } from "./whitespace.ts";

/** Builds a tokenizer; throws for invalid settings. */
export type TokenizerFactory = (definition: Definition, context: PartContext) => Tokenizer;

export type TokenizerType =
  | "edge_ngram"
  | "keyword"
  | "letter"
  | "lowercase"
  | "ngram"
  | "pattern"
  | "standard"
  | "whitespace";

export const tokenizers: Readonly<Record<TokenizerType, TokenizerFactory>> = {
  edge_ngram: edgeNgram,
  keyword,
  letter,
  lowercase,
  ngram,
  pattern,
  standard,
  whitespace,
};
