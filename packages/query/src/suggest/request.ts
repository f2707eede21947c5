/** The `suggest` section of a body. Runs `term` suggestions; other kinds are refused by name. */
import { illegalArgument, isJsonObject, OperationError } from "@orrery/stdx";
import { BodyError, intOf, members, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

export interface SuggestRequest {
  readonly suggestions: readonly TermSuggestion[];
}

export interface TermSuggestion {
  readonly name: string;
  readonly text: string;
  readonly field: string;
  readonly size: number;
  readonly analyzer: string | undefined;
  readonly mode: "missing" | "popular" | "always";
  readonly sort: "score" | "frequency";
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
}

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

function parseOne(name: string, at: Cursor, shared: string | undefined): TermSuggestion {
  let text = shared;
  let body: Cursor | undefined;
  for (const [key, member] of members(at)) {
    if (key === "text" || key === "prefix" || key === "regex") text = scalarText(member);
    else if (key === "term") body = member;
    else if (isJsonObject(member.json)) throw unknownKind(key, member);
    else throw illegalArgument(`[suggestion] does not support [${key}]`);
  }
  if (body === undefined) throw illegalArgument("missing suggestion object");
  if (text === undefined) throw illegalArgument("The required text option is missing");
  return parseTerm(name, text, body);
}

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

function parseTerm(name: string, text: string, at: Cursor): TermSuggestion {
  const options = new Map(members(at));
  const word = (key: string): string | undefined => {
    const option = options.get(key);
    return option === undefined ? undefined : scalarText(option);
  };
  const number = (key: string, fallback: number): number => {
    const option = options.get(key);
    return option === undefined ? fallback : intOf(option);
  };
  const field = word("field");
  if (field === undefined) throw illegalArgument("the required field option is missing");
  const mode = word("suggest_mode") ?? "missing";
  if (mode !== "missing" && mode !== "popular" && mode !== "always") {
    throw illegalArgument(
      `No enum constant org.opensearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.${mode.toUpperCase()}`,
    );
  }
  const size = number("size", 5);
  if (size <= 0) throw illegalArgument("size must be positive");
  const maxEdits = number("max_edits", 2);
  if (maxEdits < 1 || maxEdits > 2) throw illegalArgument("maxEdits must be between 1 and 2");
  return {
    name,
    text,
    field,
    size,
    analyzer: word("analyzer"),
    mode,
    sort: word("sort") === "frequency" ? "frequency" : "score",
    maxEdits,
    prefixLength: number("prefix_length", 1),
    minWordLength: number("min_word_length", 4),
  };
}
