/**
 * The `suggest` section: parsed by the suggesters of the language, run on each shard in steps,
 * reduced by name. Source: `SuggestBuilder`, `SuggestPhase`.
 */
import {
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  setKey,
  type Json,
} from "@orrery/stdx";
import { BodyError, members, scalarText } from "../body/cursor.ts";
import type { PrintedJson } from "../json/printable.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Prepared } from "../language/query.ts";
import type { ParseSuggestion, Suggestion, SuggestPartial } from "../language/suggester.ts";
import type { Rest } from "../work/steps.ts";

/** The suggestions of a request in its order. */
export interface SuggestRequest {
  readonly suggestions: readonly Suggestion[];
}

/**
 * Parses `suggest`. A `text` beside the suggestions is the text of each suggestion without one.
 * @throws BodyError or OperationError 400
 */
export function parseSuggest(at: Cursor): SuggestRequest {
  const all = members(at);
  const globalText = all.find(
    ([name, { json }]) => name === "text" && typeof json === "string",
  )?.[1];
  const shared = globalText === undefined ? undefined : scalarText(globalText);
  const suggestions = all
    .filter(([name, { json }]) => !(name === "text" && typeof json === "string"))
    .map(([name, member]) => parseOne(name, member, shared));
  return { suggestions };
}

/** One suggestion: its text, and the body of its kind. */
function parseOne(name: string, at: Cursor, shared: string | undefined): Suggestion {
  let text = shared;
  let kind: { readonly parse: ParseSuggestion; readonly body: Cursor } | undefined;
  for (const [key, member] of members(at)) {
    const parse = at.language.suggesters.get(key);
    const isText = key === "text" || key === "prefix" || key === "regex";
    if (isText && !isJsonObject(member.json)) text = lastText(member.json) ?? text;
    else if (parse !== undefined) kind = { parse, body: member };
    else if (isJsonObject(member.json)) throw unknownKind(key, member);
    else throw illegalArgument(`[suggestion] does not support [${key}]`);
  }
  if (kind === undefined) throw illegalArgument("missing suggestion object");
  if (text === undefined) throw illegalArgument("The required text option is missing");
  return kind.parse({ name, text }, kind.body);
}

/**
 * The text of a suggestion. The last value of a list counts, at any depth, as in the product;
 * `undefined`: null or an object.
 */
function lastText(json: Json | undefined): string | undefined {
  if (!Array.isArray(json))
    return json === undefined || json === null || typeof json === "object"
      ? undefined
      : String(json);
  const items: readonly Json[] = json;
  for (const item of items.toReversed()) {
    const text = lastText(item);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The error for a kind of the product that is not supported, or for an unknown one. */
function unknownKind(kind: string, at: Cursor): Error {
  if (kind === "phrase" || kind === "completion") {
    return new OperationError({
      type: "illegal_argument_exception",
      reason: `suggestions of kind [${kind}] are not supported`,
      status: 400,
    });
  }
  return new BodyError(at, "value", (line, col) => ({
    type: "named_object_not_found_exception",
    reason: `[${line}:${col}] unknown field [${kind}]`,
    status: 400,
  }));
}

/** Computes the partials of one shard, one suggestion after the other. */
export function* suggestSteps(
  request: SuggestRequest,
  prepared: Prepared,
  rest: Rest,
): Generator<undefined, SuggestPartial> {
  const partial: Record<string, SuggestPartial[string]> = {};
  for (const suggestion of request.suggestions)
    setKey(partial, suggestion.name, yield* suggestion.suggest(prepared, rest));
  return partial;
}

/** The section of the response, from the partials of all shards. */
export function reduceSuggest(
  request: SuggestRequest,
  partials: readonly SuggestPartial[],
): { readonly [name: string]: PrintedJson } {
  const json: Record<string, PrintedJson> = {};
  for (const suggestion of request.suggestions) {
    const own = partials.flatMap((partial) => {
      const left = lookup(partial, suggestion.name);
      return left === undefined ? [] : [left];
    });
    setKey(json, suggestion.name, suggestion.reduce(own));
  }
  return json;
}
