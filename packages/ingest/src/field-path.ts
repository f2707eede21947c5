/**
 * Paths to fields of a document: names and list indices separated by dots. The prefix `_source.` denotes the
 * document, `_ingest.` the metadata of the run. Source: `IngestDocument.FieldPath`, `hasField`, `setFieldValue`,
 * `removeField`.
 */
import { MAX_NESTING } from "@orrery/query";
import {
  forInputString,
  illegalArgument,
  lookup,
  setKey,
  type OperationError,
  type Problem,
} from "@orrery/stdx";
import { depthOf, isTreeObject, javaTypeOf, type Tree, type TreeObject } from "./tree.ts";

/** The objects that a path may start from. */
export interface Roots {
  readonly fields: TreeObject;
  readonly ingest: TreeObject;
}

interface FieldPath {
  readonly path: string;
  readonly root: TreeObject;
  readonly parents: readonly string[];
  readonly leaf: string;
}

const INGEST = "_ingest.";
const SOURCE = "_source.";

function parse(roots: Roots, path: string): FieldPath {
  if (path === "") throw illegalArgument("path cannot be null nor empty");
  const isIngest = path.startsWith(INGEST);
  const prefix = isIngest ? INGEST : path.startsWith(SOURCE) ? SOURCE : "";
  const elements = path.slice(prefix.length).split(".");
  while (elements.length > 0 && elements.at(-1) === "") elements.pop();
  const leaf = elements.pop();
  if (leaf === undefined) throw illegalArgument(`path [${path}] is not valid`);
  if (elements.length >= MAX_NESTING) throw tooDeep(path);
  return { path, root: isIngest ? roots.ingest : roots.fields, parents: elements, leaf };
}

/**
 * Whether a value exists at the path, null included. With `failsOutOfRange`, a list index out of range is an error
 * instead of false.
 */
export function hasField(roots: Roots, path: string, failsOutOfRange = false): boolean {
  const { root, parents, leaf } = parse(roots, path);
  let at: Tree | undefined = root;
  for (const element of parents) {
    at = stepOrNothing(at, element, failsOutOfRange ? path : undefined);
    if (at === undefined || at === null) return false;
  }
  return stepOrNothing(at, leaf, failsOutOfRange ? path : undefined) !== undefined;
}

function stepOrNothing(at: Tree, element: string, path: string | undefined): Tree | undefined {
  if (isTreeObject(at)) return lookup(at, element);
  if (!Array.isArray(at)) return undefined;
  const list = at as readonly Tree[];
  const index = indexOf(element);
  if (index === undefined) return undefined;
  if (path !== undefined && !isWithin(list, index)) throw outOfBounds(index, list, path);
  return list[index];
}

/** The value at a path. Throws `OperationError` when it does not exist. */
export function getField(roots: Roots, path: string): Tree {
  const { root, parents, leaf } = parse(roots, path);
  let at: Tree = root;
  for (const element of parents) at = resolve(at, element, path);
  return resolve(at, leaf, path);
}

/**
 * Sets a field; missing parents are created as objects. Throws `OperationError` when a parent is a scalar or null, when
 * a list index is out of range, or when the document would become too deep.
 */
export function setField(roots: Roots, path: string, value: Tree): void {
  const { root, parents, leaf } = parse(roots, path);
  if (parents.length + depthOf(value) > MAX_NESTING) throw tooDeep(path);
  let at: Tree = root;
  for (const element of parents) {
    if (isTreeObject(at) && lookup(at, element) === undefined) setKey(at, element, {});
    at = resolve(at, element, path);
  }
  if (isTreeObject(at)) return setKey(at, leaf, value);
  if (at === null) throw refused(`cannot set [${leaf}] with null parent`, path);
  if (!Array.isArray(at)) {
    const type = javaTypeOf(at);
    throw refused(`cannot set [${leaf}] with parent object of type [${type}]`, path);
  }
  const list = at as Tree[];
  list[positionIn(list, leaf, path)] = value;
}

/** Removes the value at a path. Throws `OperationError` when it does not exist. */
export function removeField(roots: Roots, path: string): void {
  const { root, parents, leaf } = parse(roots, path);
  let at: Tree = root;
  for (const element of parents) at = resolve(at, element, path);
  if (isTreeObject(at)) {
    if (lookup(at, leaf) === undefined) throw refused(`field [${leaf}] not present`, path);
    const object: TreeObject = at;
    delete object[leaf]; // oxlint-disable-line orrery/client-keys -- one of its own keys, looked up above
    return;
  }
  if (at === null) throw refused(`cannot remove [${leaf}] from null`, path);
  if (!Array.isArray(at))
    throw refused(`cannot remove [${leaf}] from object of type [${javaTypeOf(at)}]`, path);
  const list = at as Tree[];
  list.splice(positionIn(list, leaf, path), 1);
}

function resolve(at: Tree, element: string, path: string): Tree {
  if (at === null) throw refused(`cannot resolve [${element}] from null`, path);
  if (isTreeObject(at)) {
    const found = lookup(at, element);
    if (found === undefined) throw refused(`field [${element}] not present`, path);
    return found;
  }
  if (!Array.isArray(at))
    throw refused(`cannot resolve [${element}] from object of type [${javaTypeOf(at)}]`, path);
  const list = at as readonly Tree[];
  return list[positionIn(list, element, path)] ?? null;
}

function positionIn(list: readonly Tree[], element: string, path: string): number {
  const index = indexOf(element);
  if (index === undefined) {
    const what = `[${element}] is not an integer, cannot be used as an index`;
    const type = "number_format_exception";
    throw refused(what, path, { type, reason: forInputString(element), status: 400 });
  }
  if (!isWithin(list, index)) throw outOfBounds(index, list, path);
  return index;
}

/** Java's `Integer.parseInt`; `undefined` for other texts. */
function indexOf(element: string): number | undefined {
  if (!/^[+-]?\d{1,10}$/.test(element)) return undefined;
  const index = Number(element);
  return Math.abs(index) < 2 ** 31 ? index : undefined;
}

function isWithin(list: readonly Tree[], index: number): boolean {
  return index >= 0 && index < list.length;
}

function outOfBounds(index: number, list: readonly Tree[], path: string): OperationError {
  const what = `[${index}] is out of bounds for array with length [${list.length}]`;
  return refused(what, path);
}

function refused(what: string, path: string, cause?: Problem): OperationError {
  return illegalArgument(`${what} as part of path [${path}]`, cause);
}

function tooDeep(path: string): OperationError {
  return illegalArgument(`path [${path}] makes the document deeper than [${MAX_NESTING}]`);
}
