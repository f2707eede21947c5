/** Families of figures: one name, one help text, and a sample for each set of labels. */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";

/** A figure and the labels that tell it from others of its family. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Labels in the order in which they are printed. */
export type Labels = Readonly<Record<string, string>>;

export interface Family {
  /** Name without the prefix. */
  readonly name: string;
  readonly help: string;
  /** Samples of a summary are its count and its sum; the plugin has one family of this type. */
  readonly type: "gauge" | "summary";
  readonly samples: readonly Sample[];
}

/** A figure of a body: its family, and where the body has it. */
export interface Row {
  readonly name: string;
  readonly help: string;
  /** Samples of one body; labels are those beside the body's own. None where the body lacks the figure. */
  readonly read: (body: JsonObject) => readonly Sample[];
}

/** A row of one sample: the number at a dotted path, times a factor. `true` counts as 1, `false` as 0. */
export function figure(name: string, help: string, path: string, factor = 1): Row {
  return { name, help, read: (body) => sampleOf({}, at(body, path), factor) };
}

/** A figure in seconds that the body has in milliseconds. */
export function seconds(name: string, help: string, path: string): Row {
  return figure(name, help, path, 1 / 1000);
}

/** A row with one sample for each of these values of a label, at the path beside it. */
export function figures(
  name: string,
  help: string,
  label: string,
  paths: Readonly<Record<string, string>>,
): Row {
  return {
    name,
    help,
    read: (body) =>
      Object.entries(paths).flatMap(([value, path]) =>
        sampleOf({ [label]: value }, at(body, path)),
      ),
  };
}

/** One sample of a number or a flag; none of anything else. */
export function sampleOf(labels: Labels, value: Json | undefined, factor = 1): readonly Sample[] {
  if (typeof value === "boolean") return [{ labels, value: value ? 1 : 0 }];
  return typeof value === "number" ? [{ labels, value: scaled(value, factor) }] : [];
}

/** A quotient, so that 1234 ms are 1.234 s and not 1.2340000000000002 s. */
function scaled(value: number, factor: number): number {
  return factor < 1 ? value / Math.round(1 / factor) : value * factor;
}

/** The value at a dotted path. */
export function at(body: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const key of path.split(".")) {
    if (!isJsonObject(value)) return undefined;
    value = lookup(value, key);
  }
  return value;
}

/** The object at a dotted path; an empty one where there is none. */
export function objectAt(body: JsonObject, path: string): JsonObject {
  const value = at(body, path);
  return isJsonObject(value) ? value : {};
}
