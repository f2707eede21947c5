/**
 * Definitions of suggestions, typed by the shape of their partials, which are plain data to the
 * reducer and the codec.
 */
import type { Plain } from "../json/plain.ts";
import type { Suggestion, SuggestionHead } from "../language/suggester.ts";

/**
 * Seals a definition. The cast is sound because a partial only returns to the suggestion that made
 * it: every node reads the same request.
 */
export function defineSuggestion<Shape extends Plain>(
  { name }: SuggestionHead,
  { suggest, reduce }: Omit<Suggestion<Shape>, "name">,
): Suggestion {
  return { name, suggest, reduce: (partials) => reduce(partials as readonly Shape[]) };
}
