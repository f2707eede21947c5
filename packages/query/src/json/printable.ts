/**
 * JSON values for printing, with three additions: raw JSON text, numbers in Java's format, and
 * lists that are made while they are printed. All three are classes, since no JSON of a client is a
 * class.
 */

/** Text that is already JSON and is printed unchanged, such as `1.0` or a stored document. */
export class RawJson {
  /** A string or UTF-8. */
  readonly rawJson: string | Uint8Array;
  constructor(json: string | Uint8Array) {
    this.rawJson = json;
  }
}

/** A number printed as a Java `double` or `float`, always with a fraction. */
export class Decimal {
  readonly value: number;
  readonly type: "double" | "float";
  constructor(value: number, type: "double" | "float") {
    this.value = value;
    this.type = type;
  }
}

/** A list, or an object if `key` is set, whose items are made while they are printed. */
export class LazyItems {
  readonly length: number;
  readonly at: (index: number) => Printable;
  readonly key: ((index: number) => string) | undefined;
  constructor(length: number, at: (index: number) => Printable, key?: (index: number) => string) {
    this.length = length;
    this.at = at;
    this.key = key;
  }
}

/** JSON with raw text in it. Members that are `undefined` are left out. */
export type PrintedJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly PrintedJson[]
  | { readonly [key: string]: PrintedJson | undefined };

/** A value that `jsonText` can print. Members that are `undefined` are left out. */
export type Printable =
  | PrintedJson
  | LazyItems
  | undefined
  | readonly Printable[]
  | { readonly [key: string]: Printable };
