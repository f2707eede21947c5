/** JSON with parts that are text already, numbers that print as a Java type does, and lists that are made as they are printed. */

/** JSON text that is already right: printed as it is (`1.0`, a stored document). A class, as no JSON of a client is one. */
export class RawJson {
  /** A text, or its UTF-8. */
  readonly rawJson: string | Uint8Array;
  constructor(json: string | Uint8Array) {
    this.rawJson = json;
  }
}

/** A number that prints as a Java `double` or `float`, always with a fraction. A class, as no JSON of a client is one. */
export class Decimal {
  readonly value: number;
  readonly type: "double" | "float";
  constructor(value: number, type: "double" | "float") {
    this.value = value;
    this.type = type;
  }
}

/** A list, or an object where there are keys, whose items are made as they are printed. A class, as no JSON of a client is one. */
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

/** JSON with parts that are text already; `undefined` properties are left out. */
export type PrintedJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly PrintedJson[]
  | { readonly [key: string]: PrintedJson | undefined };

/** What `jsonText` prints; `undefined` properties are left out. */
export type Printable =
  | PrintedJson
  | LazyItems
  | undefined
  | readonly Printable[]
  | { readonly [key: string]: Printable };
