/**
 * A suggestion is parsed from its part of the `suggest` section, run on each shard in steps, and
 * reduced on the coordinating node. Source: `SuggestionBuilder`, `Suggester`.
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

/**
 * A kind of suggestion of the search language: parses its body.
 * @throws BodyError or OperationError 400
 */
export type ParseSuggestion = (head: SuggestionHead, at: Cursor) => Suggestion;

/**
 * One suggestion of a request. `Shape` is the type of its partials; outside of its definition they
 * are plain data of unknown shape.
 */
export interface Suggestion<Shape = Plain> {
  readonly name: string;
  /**
   * The partial of one shard. Yields between words, and within a word that takes long.
   * @throws OperationError a shard failure
   */
  suggest(prepared: Prepared, rest: Rest): Generator<undefined, Shape>;
  /** The suggestion's member of the response; partials are in the order of shards. */
  reduce(partials: readonly Shape[]): PrintedJson;
}

/** Partials of one shard by the names of the suggestions. */
export type SuggestPartial = { readonly [name: string]: Plain };
