/** `compatible`: releases of the same major number that are not older, `{"compatible": {"field": "1.4.0"}}`. */
import * as dsl from "@orrery/query/extension";
import { decodeRelease, encodeRelease, nextMajor } from "./release.ts";

const WORDS = { query: "compatible", empty: "[compatible] query malformed, no field given" };

export function parseCompatible(at: dsl.Cursor): dsl.Query {
  const form = dsl.parseFieldForm(at, { ...WORDS, parameters: [] });
  const { field: name, scalar, boost, label } = form;
  if (scalar === undefined) throw dsl.parsingError(at, "[compatible] has no release", "end");
  const release = encodeRelease(dsl.scalarText(scalar));
  const build: dsl.Query["build"] = (context, total) => {
    const field = dsl.fieldOf(context, name);
    if (field === undefined) return dsl.none(`unmapped field [${name}]`);
    if (field.type === "release") return compatiblePlan(field.aliasOf ?? name, release, total);
    throw dsl.shardError(context, `[compatible] does not read [${field.type}]`);
  };
  return { boost, label, build };
}

function compatiblePlan(field: string, release: Uint8Array, boost: number): dsl.Plan {
  const description = `${field} compatible with ${decodeRelease(release)}`;
  return {
    kind: "own",
    description,
    weight: () =>
      dsl.setWeight(boost, ({ reader }) => {
        const column = reader.ordinals(field);
        if (column === undefined) return undefined;
        const from = column.dictionary.ceiling(release);
        const to = column.dictionary.ceiling(nextMajor(release));
        return dsl.ordinalRangeSet(column, from, to, undefined);
      }),
    explain: ({ score }) => ({ isMatch: true, value: score, description, details: [] }),
  };
}
