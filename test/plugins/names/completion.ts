/** `beginning`: names that begin with a text, those of most documents first: `{"text": "par", "beginning": {"field": "name", "size": 3}}`. */
import * as dsl from "@orrery/query/extension";
import { illegalArgument, utf8Decode, utf8Encode } from "@orrery/stdx";
import { keywordOf } from "./keyword.ts";

interface Spec {
  readonly text: string;
  readonly field: string;
  readonly size: number;
}

/** Numbers of documents by name, on one shard. */
type Names = readonly (readonly [name: string, count: number])[];

/** Of a name that is kept. */
const NAME_BYTES = 128;

export function parseBeginning(head: dsl.SuggestionHead, at: dsl.Cursor): dsl.Suggestion {
  const options = new Map(dsl.members(at));
  const [field, size] = [options.get("field"), options.get("size")];
  if (field === undefined) throw illegalArgument("[beginning] has no [field]");
  const spec: Spec = {
    text: head.text,
    field: dsl.scalarText(field),
    size: size === undefined ? 5 : dsl.intOf(size),
  };
  return dsl.defineSuggestion<Names>(head, {
    suggest: (prepared, rest) => namesOnShard(spec, prepared, rest),
    reduce: (partials) => reduceNames(spec, partials),
  });
}

function* namesOnShard(
  { text, field: name }: Spec,
  { context, searcher }: dsl.Prepared,
  rest: dsl.Rest,
): Generator<undefined, Names> {
  const field = keywordOf(context, name);
  const { budget } = searcher;
  const found = new Map<string, number>();
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    if (terms === undefined) continue;
    for (let ord = terms.ceiling(utf8Encode(text)); ord < terms.size; ord += 1) {
      const term = utf8Decode(terms.term(ord));
      if (!term.startsWith(text)) break;
      if (!found.has(term)) budget.hold(NAME_BYTES + 2 * term.length);
      found.set(term, (found.get(term) ?? 0) + terms.docFreq(ord));
      budget.step(term.length);
      if (budget.isRestDue) yield* rest();
    }
  }
  return [...found];
}

function reduceNames({ text, size }: Spec, shards: readonly Names[]): dsl.PrintedJson {
  const counts = new Map<string, number>();
  for (const [name, count] of shards.flat()) counts.set(name, (counts.get(name) ?? 0) + count);
  const best = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, size);
  const options = best.map(([name, freq]) => ({ text: name, freq }));
  return [{ text, offset: 0, length: text.length, options }];
}
