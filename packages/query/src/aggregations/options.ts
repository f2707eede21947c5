/**
 * Reads the parameters of an aggregation, with the errors of the product's object parsers
 * (`ObjectParser`, `ValuesSourceAggregationBuilder`).
 */
import { illegalArgument, type Json } from "@orrery/stdx";
import {
  type BodyError,
  booleanOf,
  contentError,
  intOf,
  longOf,
  members,
  scalarText,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { scriptField } from "../scripts/parse-script.ts";
import type { ValuesSpec } from "./values.ts";

/**
 * The product's declarative parsers accept no null as a value; `missing` has a message of its own.
 */
function refusedNull(at: Cursor, type: string): BodyError {
  if (at.key !== "missing")
    return contentError(at, `[${type}] ${at.key} doesn't support values of type: VALUE_NULL`);
  const reason = `[missing] must not be null: [${String(at.parent?.parent?.key ?? "")}]`;
  const causedBy = illegalArgument(reason).problem;
  return contentError(at, `[${type}] failed to parse field [missing]`, { causedBy });
}

/** The parameters of one aggregation's body, each read on demand. */
export class Options {
  readonly at: Cursor;
  readonly type: string;
  private readonly given: ReadonlyMap<string, Cursor>;

  /**
   * `known` are the parameters of the type. Those of all aggregations over values (`field`,
   * `missing`, …) are accepted as well, unless `isPlain`.
   * @throws BodyError 400 for an unknown parameter, or a null
   */
  constructor(at: Cursor, type: string, known: readonly string[], isPlain = false) {
    this.at = at;
    this.type = type;
    const all = isPlain
      ? known
      : [...known, "field", "missing", "format", "value_type", "time_zone", "script"];
    const given = new Map<string, Cursor>();
    for (const [name, member] of members(at)) {
      if (!all.includes(name)) throw unknownField(member, type, all);
      if (member.json === null && !isPlain) throw refusedNull(member, type);
      given.set(name, member);
    }
    this.given = given;
  }

  has(name: string): boolean {
    return this.given.has(name);
  }

  /** The place of a parameter; `undefined`: it is not given. */
  cursor(name: string): Cursor | undefined {
    return this.given.get(name);
  }

  json(name: string): Json | undefined {
    return this.given.get(name)?.json;
  }

  /** Reads a parameter, `fallback` if it is not given; errors name the parameter and the type. */
  read<T>(name: string, read: (at: Cursor) => T, fallback: T): T {
    const at = this.given.get(name);
    return at === undefined ? fallback : wrapField(at, this.type, () => read(at));
  }

  int(name: string, fallback: number): number {
    return this.read(name, intOf, fallback);
  }

  /** `min_doc_count` or `shard_min_doc_count`, at least 0. */
  docCount(
    name: "min_doc_count" | "shard_min_doc_count",
    aggregation: string,
    fallback: number,
  ): number {
    const shown = name === "min_doc_count" ? "minDocCount" : "shardMinDocCount";
    return this.read(
      name,
      (at) => {
        const count = longOf(at);
        if (count >= 0) return count;
        const found = `Found [${count}] in [${aggregation}]`;
        throw illegalArgument(`[${shown}] must be greater than or equal to 0. ${found}`);
      },
      fallback,
    );
  }

  flag(name: string, fallback: boolean): boolean {
    return this.read(name, booleanOf, fallback);
  }

  text(name: string): string | undefined {
    return this.read<string | undefined>(name, scalarText, undefined);
  }

  /** The source of values. `needsField`: the aggregation requires a field or a script. */
  values(needsField = true): ValuesSpec {
    const scriptAt = this.given.get("script");
    const script = scriptAt && scriptField(scriptAt, this.type);
    const field = this.text("field");
    if (field === undefined && script === undefined && needsField) {
      throw illegalArgument("Required one of fields [field, script], but none were specified. ");
    }
    return {
      field,
      script,
      missing: this.json("missing"),
      format: this.text("format"),
      valueType: this.text("value_type"),
      timeZone: this.text("time_zone"),
    };
  }
}
