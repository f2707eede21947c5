/**
 * Options of a processor or a pipeline, read one by one; an option that remains unread is rejected in the end.
 * Source: `ConfigurationUtils`.
 */
import { JsonLiteral } from "@orrery/query";
import {
  fail,
  illegalArgument,
  lookup,
  setKey,
  type Json,
  type OperationError,
  type Problem,
} from "@orrery/stdx";
import { compileTemplate, hasTemplate, type Template, type TemplateModel } from "./template.ts";
import {
  copyTree,
  isTreeObject,
  javaText,
  javaTypeOf,
  type Tree,
  type TreeObject,
} from "./tree.ts";

/** A value of a configuration whose texts are templates. */
export interface ValueSource {
  /** Whether the value is a single template text, which may render to nothing for some documents. */
  readonly isTemplate: boolean;
  valueFor(model: TemplateModel): Tree;
}

/** The options of one processor or pipeline. */
export class Options {
  private readonly given: { readonly [key: string]: Tree };
  private readonly unread: Set<string>;

  constructor(given: { readonly [key: string]: Tree }) {
    this.given = given;
    this.unread = new Set(Object.keys(given));
  }

  /** Reads an option; `undefined` when absent or null. */
  take(name: string): Tree | undefined {
    this.unread.delete(name);
    return lookup(this.given, name) ?? undefined;
  }

  value(name: string): Tree {
    return this.take(name) ?? fail(missing(name));
  }

  optionalText(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined || typeof value === "string") return value;
    return fail(wrongType(name, "a string", value));
  }

  text(name: string): string {
    return this.optionalText(name) ?? fail(missing(name));
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.take(name) ?? fallback;
    if (typeof value === "boolean") return value;
    return fail(wrongType(name, "a boolean", value));
  }

  optionalList(name: string): readonly Tree[] | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value)) return value as readonly Tree[];
    return fail(wrongType(name, "a list", value));
  }

  list(name: string): readonly Tree[] {
    return this.optionalList(name) ?? fail(missing(name));
  }

  /** Reads an object; throws when absent or of another type. */
  map(name: string): TreeObject {
    const value = this.value(name);
    return isTreeObject(value) ? value : fail(wrongType(name, "a map", value));
  }

  /** Reads a text, or an integer of 32 bits as text. */
  scalarText(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined || typeof value === "string") return value;
    if (javaTypeOf(value) === "java.lang.Integer") return javaText(value);
    return fail(wrongType(name, "a string or int", value));
  }

  /** Reads an integer; `undefined` when absent. A null is rejected. */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.value(name);
    const number =
      value instanceof JsonLiteral && value.isInteger ? Number(value.text) : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
    throw illegalArgument(`Failed to parse parameter [${name}], only int or long is accepted`);
  }

  /** Whether the option is present, even as null. */
  has(name: string): boolean {
    return lookup(this.given, name) !== undefined;
  }

  /** Reads a text as a template. */
  template(name: string): Template {
    return compileTemplate(this.text(name));
  }

  /** Reads a text or a list of texts as templates. */
  optionalTemplates(name: string): readonly Template[] | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    const texts = Array.isArray(value) ? (value as readonly Tree[]) : [value];
    return texts.map((text) =>
      typeof text === "string" ? compileTemplate(text) : fail(wrongType(name, "a string", text)),
    );
  }

  valueSource(name: string): ValueSource {
    return sourceOf(this.value(name));
  }

  /** Names of options that were not read. */
  rest(): readonly string[] {
    return [...this.unread];
  }
}

function sourceOf(value: Tree): ValueSource {
  if (typeof value === "string") {
    if (!hasTemplate(value)) return { isTemplate: false, valueFor: () => value };
    const template = compileTemplate(value);
    return { isTemplate: true, valueFor: (model) => template.render(model) };
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Tree[]).map(sourceOf);
    return {
      isTemplate: false,
      valueFor: (model) => items.map((item) => item.valueFor(model)),
    };
  }
  if (!isTreeObject(value)) return { isTemplate: false, valueFor: () => copyTree(value) };
  const members = Object.entries(value).map(
    ([key, item]) => [compileTemplate(key), sourceOf(item)] as const,
  );
  return {
    isTemplate: false,
    valueFor: (model) => {
      const object: TreeObject = {};
      for (const [key, item] of members) setKey(object, key.render(model), item.valueFor(model));
      return object;
    },
  };
}

/** The problem of a processor's configuration. `property`: the invalid option; `undefined`: none in particular. */
export function configurationProblem(property: string | undefined, reason: string): Problem {
  const named = property === undefined ? reason : `[${property}] ${reason}`;
  const problem: Problem = { type: "parse_exception", reason: named, status: 400 };
  return property === undefined ? problem : { ...problem, metadata: { property_name: property } };
}

function missing(name: string): Problem {
  return configurationProblem(name, "required property is missing");
}

function wrongType(name: string, wanted: string, found: Tree): Problem {
  return configurationProblem(name, `property isn't ${wanted}, but of type [${javaTypeOf(found)}]`);
}

/**
 * The problem of an error, with type and tag of the processor that caused it added, unless it names a processor
 * already.
 */
export function aboutProcessor(
  { problem }: OperationError,
  type: string,
  tag: string | undefined,
): Problem {
  if (lookup(problem.metadata, "processor_type") !== undefined) return problem;
  const head: Record<string, Json> = { processor_type: type };
  if (tag !== undefined) head["processor_tag"] = tag;
  return { ...problem, metadata: { ...head, ...problem.metadata } };
}
