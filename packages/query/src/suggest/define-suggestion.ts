/** Definitions of suggestions, each over partials of its own shape, which the reducer and the codec know as plain data. */
import type { Plain } from "../json/plain.ts";
import type { Suggestion, SuggestionHead } from "../language/suggester.ts";

/** A partial is only ever given to the suggestion that left it: every node of a search reads the same request. */
export function defineSuggestion<Shape extends Plain>(
  { name }: SuggestionHead,
  { suggest, reduce }: Omit<Suggestion<Shape>, "name">,
): Suggestion {
  return { name, suggest, reduce: (partials) => reduce(partials as readonly Shape[]) };
}
