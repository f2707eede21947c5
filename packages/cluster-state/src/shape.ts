/**
 * Shapes of plain data that came from elsewhere: what a type says, asked of a value at run time.
 *
 * A shape of an object demands a row for each field of its type, so a field that is added cannot be forgotten. What a type does
 * not know is let through. Lists and records hold what their shape says; `json` is anything.
 */
import { lookup } from "@orrery/stdx";
import type { Json, JsonObject } from "@orrery/stdx";

/** `T` is only for the compiler. */
export interface Shape<out T> {
  /** Where the value does not fit, as a path that begins with a dot or a bracket, or is empty for the value itself. */
  readonly misfit: (value: unknown) => string | undefined;
  readonly isOptional: boolean;
  readonly of?: T;
}

interface Required<out T> extends Shape<T> {
  readonly isOptional: false;
}

/** May be left out. */
interface Optional<out T> extends Shape<T> {
  readonly isOptional: true;
}

/** For every field of `T`, whether it may be left out, too. */
type Fields<T> = {
  readonly [Key in keyof T]-?: undefined extends T[Key]
    ? Optional<T[Key]>
    : Required<Exclude<T[Key], undefined>>;
};

function required<T>(fits: (value: unknown) => boolean): Required<T> {
  return { isOptional: false, misfit: (value) => (fits(value) ? undefined : "") };
}

/** Ids and names; the compiler takes branded texts for what they are. */
export function text<T extends string = string>(): Required<T> {
  return required((value) => typeof value === "string");
}

export const flag: Required<boolean> = required((value) => typeof value === "boolean");

export const integer: Required<number> = required((value) => Number.isSafeInteger(value));

/** Not negative. */
export const count: Required<number> = required(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

export const number: Required<number> = required((value) => typeof value === "number");

export const json: Required<Json> = required((value) => value !== undefined);

export const jsonObject: Required<JsonObject> = required(isRecord);

/** The table names all of `T`, so that a new one is not refused. */
export function oneOf<T extends string>(table: Readonly<Record<T, true>>): Required<T> {
  return required((value) => typeof value === "string" && Object.hasOwn(table, value));
}

/** Exactly this. */
export function only<const T extends string | boolean | null>(expected: T): Required<T> {
  return required((value) => value === expected);
}

export function optional<T>(shape: Shape<T>): Optional<T | undefined> {
  const { misfit } = shape;
  return { isOptional: true, misfit: (value) => (value === undefined ? undefined : misfit(value)) };
}

export function either<A, B>(first: Shape<A>, second: Shape<B>): Required<A | B> {
  return required(
    (value) => first.misfit(value) === undefined || second.misfit(value) === undefined,
  );
}

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

export function pair<A, B>(first: Shape<A>, second: Shape<B>): Required<[A, B]> {
  return required(
    (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      first.misfit(value[0]) === undefined &&
      second.misfit(value[1]) === undefined,
  );
}

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

/** Told apart by the text in one field. */
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
