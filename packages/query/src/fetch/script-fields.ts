/**
 * `script_fields` of hits. Scripts are compiled and bound once, and opened once per segment that
 * has hits.
 */
import { OperationError, setKey } from "@orrery/stdx";
import type { HitValue } from "../language/hits.ts";
import type { Prepared } from "../language/query.ts";
import type { TopDoc } from "../language/results.ts";
import { scriptMissing, type ScriptField } from "../request/script-fields.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";

/** The prepared scripts of a request. */
export interface ScriptFields {
  /** Adds the values of a hit to `fields`. Fields that already have values keep them. */
  addTo(fields: { [field: string]: readonly HitValue[] }, hit: TopDoc): void;
}

/**
 * Compiles and binds the script fields of a request.
 * @throws OperationError for an invalid script
 */
export function prepareScriptFields(
  requested: readonly ScriptField[],
  { context, searcher }: Prepared,
): ScriptFields {
  const lookup = scriptLookup(searcher);
  const bound = requested.map(({ name, script, ignoresFailure }) => {
    if (script === undefined) throw scriptMissing();
    const compiled = compileScript(context, script, "field");
    return { name, ignoresFailure, bound: compiled.bind(script.params, lookup) };
  });
  const opened = new Map<number, readonly OpenedField[]>();
  const openedIn = (ord: number): readonly OpenedField[] => {
    const known = opened.get(ord);
    if (known !== undefined) return known;
    const segment = searcher.segments[ord];
    const fields =
      segment === undefined
        ? []
        : bound.map(({ name, ignoresFailure, bound: script }) => {
            return { name, ignoresFailure, run: script.open(segment) };
          });
    opened.set(ord, fields);
    return fields;
  };
  return {
    addTo: (fields, { segment, doc }) => {
      for (const field of openedIn(segment)) {
        if (Object.hasOwn(fields, field.name)) continue;
        const value = valueOf(field, doc);
        if (value !== undefined) setKey(fields, field.name, Array.isArray(value) ? value : [value]);
      }
    },
  };
}

/** A script opened on one segment. */
interface OpenedField {
  readonly name: string;
  readonly ignoresFailure: boolean;
  readonly run: (doc: number) => HitValue;
}

/** `undefined` if the script fails and `ignore_failure` is set. */
function valueOf({ ignoresFailure, run }: OpenedField, doc: number): HitValue | undefined {
  try {
    return run(doc);
  } catch (error) {
    if (ignoresFailure && error instanceof OperationError) return undefined;
    throw error;
  }
}
