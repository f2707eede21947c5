/**
 * Template snippets: texts with `{{field}}`, which is JSON-escaped, and `{{{field}}}` or `{{&field}}`, which is not.
 * Sections, partials and other delimiters are rejected. Source: mustache, as `ScriptService` compiles it for
 * `ConfigurationUtils.compileTemplate`.
 */
import { JsonLiteral } from "@orrery/query";
import { fail, illegalArgument, lookup, type Problem } from "@orrery/stdx";
import { isTreeObject, renderedText, type Tree, type TreeObject } from "./tree.ts";

/** Values by the names that templates use. */
export interface TemplateModel {
  find(name: string): Tree | undefined;
  /** Charges characters that templates produce for one document; throws above the limit. */
  charge(characters: number): void;
}

/** A compiled template. */
export interface Template {
  render(model: TemplateModel): string;
}

type Part = string | { readonly name: string; readonly isEscaped: boolean };

/** Whether the text contains a template tag (`{{`). */
export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

/** Compiles a template. Throws `OperationError` for syntax that is not supported. */
export function compileTemplate(text: string): Template {
  if (!hasTemplate(text)) return { render: () => text };
  const parts = partsOf(text);
  return {
    render(model) {
      let rendered = "";
      for (const part of parts) {
        const added = typeof part === "string" ? part : valueText(model, part);
        model.charge(added.length);
        rendered += added;
      }
      return rendered;
    },
  };
}

function valueText(
  model: TemplateModel,
  { name, isEscaped }: { readonly name: string; readonly isEscaped: boolean },
): string {
  const text = renderedText(model.find(name));
  return isEscaped ? JSON.stringify(text).slice(1, -1) : text;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    if (open < 0) break;
    if (open > from) parts.push(text.slice(from, open));
    const isTriple = text.startsWith("{{{", open);
    const closing = isTriple ? "}}}" : "}}";
    const start = open + closing.length;
    const end = text.indexOf(closing, start);
    if (end < 0) fail(refused(text, "Improperly closed variable"));
    const inside = text.slice(start, end).trim();
    if (inside === "") fail(refused(text, "Empty mustache"));
    const tag = tagOf(inside, isTriple);
    if (tag !== undefined) parts.push(tag);
    from = end + closing.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The part of a tag; `undefined`: a comment. */
function tagOf(inside: string, isTriple: boolean): Part | undefined {
  const sign = inside.charAt(0);
  if (isTriple) return { name: inside, isEscaped: false };
  if (sign === "!") return undefined;
  if (sign === "&") return { name: inside.slice(1).trim(), isEscaped: false };
  if (sign !== "" && "#^/>=<$".includes(sign)) {
    throw illegalArgument(`templates with [{{${sign}] are not supported, only names of fields`);
  }
  return { name: inside, isEscaped: true };
}

function refused(template: string, what: string): Problem {
  const reason = `${what} @[query-template:1]`;
  const metadata = { script_stack: [], script: template, lang: "mustache" };
  const problem: Problem = { type: "script_exception", reason, status: 400, metadata };
  return {
    ...problem,
    causedBy: { type: "mustache_exception", reason, status: 500 },
  };
}

/**
 * The value at a path of names below a root; `undefined`: there is none. In a list, an index is a name, and `size` is
 * the length.
 */
export function findBelow(root: TreeObject, names: readonly string[]): Tree | undefined {
  let at: Tree | undefined = root;
  for (const name of names) {
    if (Array.isArray(at)) at = inList(at as readonly Tree[], name);
    else if (isTreeObject(at)) at = lookup(at, name);
    else return undefined;
  }
  return at;
}

function inList(list: readonly Tree[], name: string): Tree | undefined {
  if (name === "size") return new JsonLiteral(String(list.length));
  return /^\d+$/.test(name) ? list[Number(name)] : undefined;
}
