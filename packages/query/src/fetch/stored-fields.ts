/** `stored_fields`: values of fields with `store: true`, read from the document's source. */
import { setKey, utf8Decode, utf8Encode, type Json } from "@orrery/stdx";
import { readJson } from "../json/exact-json.ts";
import type { CompiledField } from "../language/field-type.ts";
import { namesOf } from "../language/field-paths.ts";
import { allSteps, restOf, type Rest } from "../work/steps.ts";
import type { Mapping } from "../language/mapping.ts";
import { valuesAt } from "../source/source-values.ts";

/**
 * Returns lists of values by field; `names` may be patterns. Fields that are not stored or have no
 * values are left out, and so are all fields if there is no source.
 */
export function storedFieldValues(
  mapping: Mapping,
  source: Uint8Array | undefined,
  names: readonly string[],
): { readonly [field: string]: readonly Json[] } {
  return allSteps(storedFieldSteps(mapping, source, names, () => restOf({})));
}

/** `storedFieldValues` in steps. Yields between fields. */
export function* storedFieldSteps(
  mapping: Mapping,
  source: Uint8Array | undefined,
  names: readonly string[],
  rest: Rest,
): Generator<undefined, { readonly [field: string]: readonly Json[] }> {
  if (source === undefined) return {};
  const text = utf8Decode(source);
  const tree = readJson(text, utf8Encode(text));
  const found: Record<string, readonly Json[]> = {};
  for (const name of names.flatMap((pattern) => namesOf(mapping, pattern))) {
    yield* rest();
    const field = mapping.field(name) as CompiledField | undefined;
    if (field === undefined || !field.isStored) continue;
    const values = valuesAt(tree, name).flatMap((value): Json[] => {
      const shown = field.present(value, undefined);
      return shown === undefined ? [] : [shown];
    });
    if (values.length > 0) setKey(found, name, values);
  }
  return found;
}
