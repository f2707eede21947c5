/** `compatible`: releases of the same major number that are not older, `{"compatible": {"field": "1.4.0"}}`. */
import {
  fieldOf,
  none,
  ordinalRangeSet,
  parseFieldForm,
  parsingError,
  scalarText,
  setWeight,
  shardError,
  type Cursor,
  type Plan,
  type Query,
} from "@orrery/query/extension";
import { decodeRelease, encodeRelease, nextMajor } from "./release.ts";

export function parseCompatible(at: Cursor): Query {
  const {
    field: name,
    scalar,
    boost,
    label,
  } = parseFieldForm(at, {
    query: "compatible",
    parameters: [],
    empty: "[compatible] query malformed, no field given",
  });
  if (scalar === undefined) throw parsingError(at, "[compatible] requires a release", "end");
  const release = encodeRelease(scalarText(scalar));
  const build: Query["build"] = (context, total) => {
    const field = fieldOf(context, name);
    if (field === undefined) return none(`unmapped field [${name}]`);
    if (field.type === "release") return compatiblePlan(field.aliasOf ?? name, release, total);
    throw shardError(context, `[compatible] needs a [release] field, not [${field.type}]`);
  };
  return { boost, label, build };
}

function compatiblePlan(field: string, release: Uint8Array, boost: number): Plan {
  const description = `${field} compatible with ${decodeRelease(release)}`;
  return {
    kind: "own",
    description,
    weight: () =>
      setWeight(boost, ({ reader }) => {
        const column = reader.ordinals(field);
        if (column === undefined) return undefined;
        const from = column.dictionary.ceiling(release);
        const to = column.dictionary.ceiling(nextMajor(release));
        return ordinalRangeSet(column, from, to, undefined);
      }),
    explain: ({ score }) => ({ isMatch: true, value: score, description, details: [] }),
  };
}
