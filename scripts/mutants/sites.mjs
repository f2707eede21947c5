/**
 * All places of a source where an operator applies, as mutants.
 *
 * A name is `package/file/function/operator/ordinal`: the ordinal counts the operator's places in that function, so that a change of
 * another function renames nothing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { root } from "../prepare.mjs";
import { isShownOnly, listOf, operators } from "./operators.mjs";

/** Of a file below `packages`. */
export function mutantsOf({ file, area }) {
  const path = `packages/${file}`;
  return mutantsIn(readFileSync(join(root, path), "utf8"), { file, area, path });
}

/** Each with the edit that makes it, and the place of a statement that is executed before it. */
export function mutantsIn(text, { file, area, path }) {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const source = ({ start, end }) => text.slice(start, end);
  const counts = new Map();
  const found = [];
  walk(
    program,
    [],
    (node, ancestors) => {
      const functionName = functionOf(ancestors);
      if (functionName === "") return;
      for (const [operator, apply] of Object.entries(operators)) {
        for (const change of apply(node, source, ancestors.at(-1))) {
          const place = `${file.replace("/src/", "/")}/${functionName}/${operator}`;
          const ordinal = (counts.get(place) ?? 0) + 1;
          counts.set(place, ordinal);
          const { start = node.start, end = node.end } = change;
          found.push({
            name: `${place}/${ordinal}`,
            ...{ operator, area, file: path, function: functionName },
            line: text.slice(0, start).split("\n").length,
            was: text.slice(start, end),
            becomes: change.text,
            edit: { start, end, text: change.text },
            probe: probeOf(node, start, ancestors),
          });
        }
      }
    },
    source,
  );
  return found;
}

function walk(node, ancestors, visit, source) {
  if (isShownOnly(node, source)) return;
  visit(node, ancestors);
  const inside = [...ancestors, node];
  for (const [key, value] of Object.entries(node)) {
    // Defaults of parameters run where no statement does.
    if (key === "params" || key === "typeAnnotation" || key === "returnType") continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child?.type === "string") walk(child, inside, visit, source);
  }
}

/** The names of all functions around, the outermost first. */
function functionOf(ancestors) {
  const names = ancestors.flatMap((node, at) => {
    if (node.type === "FunctionDeclaration") return [node.id.name];
    if (!isFunction(node)) return [];
    const { type, key, id, left } = ancestors[at - 1];
    if (type === "VariableDeclarator" && id.type === "Identifier") return [id.name];
    const keyed = ["Property", "MethodDefinition", "PropertyDefinition"].includes(type);
    if (keyed && (key.type === "Identifier" || key.type === "PrivateIdentifier")) return [key.name];
    return type === "AssignmentExpression" && left.type === "MemberExpression"
      ? [left.property.name]
      : [];
  });
  return names.join(".");
}

function isFunction({ type }) {
  return type === "ArrowFunctionExpression" || type === "FunctionExpression";
}

/** Place of a probe: before a statement of a list, around any other one, or into the body of an arrow function. */
function probeOf(node, start, ancestors) {
  const inList = listOf(node).find((statement) => statement.start === start);
  if (inList !== undefined) return { before: start };
  const path = [...ancestors, node];
  for (let at = path.length - 1; at > 0; at -= 1) {
    const [parent, child] = [path[at - 1], path[at]];
    if (listOf(parent).includes(child)) return { before: child.start };
    if (parent.type === "ArrowFunctionExpression" && parent.body === child)
      if (child.type !== "BlockStatement") return { around: [child.start, child.end], as: "value" };
    const isBody = [parent.consequent, parent.alternate, parent.body].includes(child);
    if (isBody && child.type.endsWith("Statement") && child.type !== "BlockStatement")
      return { around: [child.start, child.end], as: "statement" };
  }
  return { before: listOf(path.find(({ type }) => type === "BlockStatement"))[0].start };
}

/** The edits that execute `code` whenever the statement of a mutant is executed. */
export function probing({ before, around, as }, code) {
  if (before !== undefined) return [{ start: before, end: before, text: `${code}; ` }];
  const [start, end] = around;
  const [opening, closing] = as === "value" ? [`(${code}, (`, "))"] : [`{ ${code}; `, " }"];
  return [
    { start, end: start, text: opening },
    { start: end, end, text: closing, isClosing: true },
  ];
}

/** Edits do not overlap, but for insertions around others. */
export function edited(text, edits) {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || rank(a) - rank(b));
  let from = 0;
  let result = "";
  for (const { start, end, text: by } of inOrder) {
    result += text.slice(from, start) + by;
    from = end;
  }
  return result + text.slice(from);
}

function rank({ start, end, isClosing }) {
  if (isClosing === true) return 0;
  return start === end ? 1 : 2;
}
