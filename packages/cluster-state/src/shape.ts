/**
 * Shapes: run-time checks of untrusted plain data against TypeScript types.
 *
 * The shape of an object type must have a row for each of its fields, so that the compiler finds a forgotten one.
 * Unknown fields of a value are accepted; `json` accepts any value.
 */
import { lookup } from "@orrery/stdx";
import type { Json, JsonObject } from "@orrery/stdx";

/** A check whether a value has type `T`. The member `of` exists only for the compiler. */
export interface Shape<out T> {
  /** Path to the part that does not fit, beginning with a dot or a bracket, or empty for the value itself; undefined when all of it fits. */
  readonly misfit: (value: unknown) => string | undefined;
  readonly isOptional: boolean;
  readonly of?: T;
}

interface Required<out T> extends Shape<T> {
  readonly isOptional: false;
}

/** A field that may be absent. */
interface Optional<out T> extends Shape<T> {
  readonly isOptional: true;
}

/** A shape for every field of `T`, optional exactly where the type is. */
type Fields<T> = {
  readonly [Key in keyof T]-?: undefined extends T[Key]
    ? Optional<T[Key]>
    : Required<Exclude<T[Key], undefined>>;
};

function required<T>(fits: (value: unknown) => boolean): Required<T> {
  return { isOptional: false, misfit: (value) => (fits(value) ? undefined : "") };
}

/** Any text; `T` may be a branded type of ids. */
export function text<T extends string = string>(): Required<T> {
  return required((value) => typeof value === "string");
}

export const flag: Required<boolean> = required((value) => typeof value === "boolean");

export const integer: Required<number> = required((value) => Number.isSafeInteger(value));

/** A non-negative integer. */
export const count: Required<number> = required(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

export const number: Required<number> = required((value) => typeof value === "number");

export const json: Required<Json> = required((value) => value !== undefined);

export const jsonObject: Required<JsonObject> = required(isRecord);

/** One of several texts. The table must contain all of `T`, so that the compiler finds a forgotten one. */
export function oneOf<T extends string>(table: Readonly<Record<T, true>>): Required<T> {
  return required((value) => typeof value === "string" && Object.hasOwn(table, value));
}

/** The shape of one text, boolean or null. */
export function only<const T extends string | boolean | null>(expected: T): Required<T> {
  return required((value) => value === expected);
}

/** A field that may be absent or `undefined`. */
export function optional<T>(shape: Shape<T>): Optional<T | undefined> {
  const { misfit } = shape;
  return { isOptional: true, misfit: (value) => (value === undefined ? undefined : misfit(value)) };
}

/** A value of one of two shapes. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Required<A | B> {
  return required(
    (value) => first.misfit(value) === undefined || second.misfit(value) === undefined,
  );
}

/** A list whose elements all have the shape. */
export function list<T>(item: Shape<T>): Required<readonly T[]> {
  return {
    isOptional: false,
    misfit: (value) => {
      if (!Array.isArray(value)) return "";
      for (let i = 0; i < value.length; i += 1) {
        const inside = item.misfit(value[i]);
        if (inside !== undefined) return `[${i}]${inside}`;
      }
      return undefined;
    },
  };
}

/** A list of two elements. */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Required<[A, B]> {
  return required(
    (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      first.misfit(value[0]) === undefined &&
      second.misfit(value[1]) === undefined,
  );
}

/** The shape of an object with any keys, whose values all have the given shape. */
export function record<T>(item: Shape<T>): Required<Readonly<Record<string, T>>> {
  return {
    isOptional: false,
    misfit: (value) => {
      if (!isRecord(value)) return "";
      for (const [key, inner] of Object.entries(value)) {
        const inside = item.misfit(inner);
        if (inside !== undefined) return `.${key}${inside}`;
      }
      return undefined;
    },
  };
}

/** An object with the fields of `T`; only own properties count. */
export function object<T extends object>(fields: Fields<T>): Required<T> {
  const rows = Object.entries<Shape<unknown>>(fields as Record<string, Shape<unknown>>);
  return {
    isOptional: false,
    misfit: (value) => {
      if (!isRecord(value)) return "";
      for (const [key, shape] of rows) {
        const inside = shape.misfit(Object.hasOwn(value, key) ? lookup(value, key) : undefined);
        if (inside !== undefined) return `.${key}${inside}`;
      }
      return undefined;
    },
  };
}

/** A union, discriminated by the text in the field `tag`. */
export function variants<Tag extends string, T extends { readonly [Key in Tag]: string }>(
  tag: Tag,
  shapes: { readonly [Kind in T[Tag]]: Required<Extract<T, { readonly [Key in Tag]: Kind }>> },
): Required<T> {
  const known = new Map(Object.entries<Required<T>>(shapes as Record<string, Required<T>>));
  return {
    isOptional: false,
    misfit: (value) => {
      const kind = isRecord(value) && Object.hasOwn(value, tag) ? value[tag] : undefined;
      const shape = typeof kind === "string" ? known.get(kind) : undefined;
      return shape === undefined ? `.${tag}` : shape.misfit(value);
    },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
