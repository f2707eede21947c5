/** `times`: scores are multiplied by the value of a field: `{"window_size": 50, "times": {"field": "stars"}}`. */
import * as dsl from "@orrery/query/extension";
import { illegalArgument } from "@orrery/stdx";

export function parseTimes(at: dsl.Cursor): dsl.Rescorer {
  const member = new Map(dsl.members(at)).get("field");
  if (member === undefined) throw illegalArgument("[times] has no [field]");
  const name = dsl.scalarText(member);
  return {
    rescore: (window, { context, searcher }) => {
      const field = dsl.fieldOf(context, name);
      if (field?.values.kind !== "numbers") throw dsl.shardError(context, `[${name}] is no number`);
      const { values, aliasOf = name } = field;
      const factor = ({ segment, doc }: dsl.TopDoc): number => {
        const column = searcher.segments[segment]?.reader.numbers(aliasOf);
        return column?.has(doc) === true ? values.double(column, column.start(doc)) : 1;
      };
      return window
        .map((top) => ({ ...top, score: Math.fround(top.score * factor(top)) }))
        .toSorted((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc);
    },
  };
}
