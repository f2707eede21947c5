/**
 * A suggestion: parsed from its part of the `suggest` section, run on each shard in steps, and reduced on the coordinating node from
 * what the shards have left.
 */
import type { Plain } from "../json/plain.ts";
import type { PrintedJson } from "../json/printable.ts";
import type { Rest } from "../work/steps.ts";
import type { Cursor } from "./cursor.ts";
import type { Prepared } from "./query.ts";

/** Members that suggestions of all kinds have. */
export interface SuggestionHead {
  readonly name: string;
  readonly text: string;
}

/** A row of the language: reads the body of one kind of suggestion. */
export type ParseSuggestion = (head: SuggestionHead, at: Cursor) => Suggestion;

/** `Shape`: of its partials, which are plain data of an unknown shape outside of its definition. */
export interface Suggestion<Shape = Plain> {
  readonly name: string;
  /** Rests between words, and wherever one word takes long. Throws `OperationError`. */
  suggest(prepared: Prepared, rest: Rest): Generator<undefined, Shape>;
  /** The suggestion's member of the answer; `partials` in the order of shards. */
  reduce(partials: readonly Shape[]): PrintedJson;
}

/** Partials of one shard by the names of their suggestions. */
export type SuggestPartial = { readonly [name: string]: Plain };
