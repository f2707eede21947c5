/**
 * Definitions of suggestions, typed by the shape of their partials, which are plain data to the
 * reducer and the codec.
 */
import type { Plain } from "../json/plain.ts";
import type { Suggestion, SuggestionHead } from "../language/suggester.ts";

/**
 * Makes a suggestion whose partials have the type `Shape`. The cast is sound because only the
 * suggestion that made a partial reads it: every node parses the same request.
 */
export function defineSuggestion<Shape extends Plain>(
  { name }: SuggestionHead,
  { suggest, reduce }: Omit<Suggestion<Shape>, "name">,
): Suggestion {
  return { name, suggest, reduce: (partials) => reduce(partials as readonly Shape[]) };
}
