/**
 * Parses a document's bytes into field values. Source: `DocumentParser`.
 *
 * There are two passes. The quick one walks the tree of `JSON.parse` and tracks nothing. If it
 * meets something that it cannot decide (a number whose literal matters, an unknown field, an
 * error), the careful pass starts anew over a tree that keeps literals, and tracks the path. Only
 * unusual documents pay for it, and errors can name their place. A document whose tree is known
 * goes to the careful pass at once; a document that introduces fields keeps its tree for the
 * mapping that will have them.
 */
import { Growth } from "@orrery/analysis";
import { javaDouble } from "../json/json-text.ts";
import type { FieldSpec, FieldValue } from "@orrery/segment";
import { appendAll, illegalArgument, OperationError, utf8Decode, type Problem } from "@orrery/stdx";
import { filterSource } from "../source/source-filter.ts";
import { JsonLiteral, readJson, type JsonTree } from "../json/exact-json.ts";
import type { TreeObject } from "../json/key-order.ts";
import { isTreeObject } from "../json/merge-trees.ts";
import { countKeys, needsExactText, scanJson } from "../json/parse-json.ts";
import { endOfValue, findValue, isOpening, type JsonPath } from "../json/find-value.ts";
import { locate } from "../json/position.ts";
import type { DocumentSource, ParsedDocument } from "../language/mapping.ts";
import type { FieldNode, Node, ObjectNode } from "./compile.ts";
import { checkDepth, checkParts, isMarkedFinal, type DocumentRules } from "./document-rules.ts";
import { createDynamicUpdate, introduce, strict, type DynamicUpdate } from "./dynamic.ts";
import type { CompiledField, DocumentSink, ValueLocation } from "../language/field-type.ts";
import { wrapProblem } from "./merge.ts";
import { IGNORED, NESTED_PATH, ROUTING } from "./metadata.ts";
import { METADATA_FIELDS } from "./metadata-fields.ts";

/** A document as it arrives; `routing` is `undefined` without a routing value. */
export interface DocumentBytes {
  readonly id: string;
  readonly source: Uint8Array;
  readonly routing: string | undefined;
}

/** The root object of a document. */
type Tree = TreeObject;

/** Thrown by the quick pass where the careful one has to decide. */
const CAREFUL = new Error("careful pass needed");

/**
 * Parses a document. `given` holds the tree of the source, or receives it if the document has to be
 * parsed again with a later mapping.
 * @throws OperationError 400
 */
export function parseDocument(
  rules: DocumentRules,
  document: DocumentBytes,
  given?: DocumentSource,
): ParsedDocument {
  const { source } = document;
  if (given?.tree !== undefined) return carefulPass(rules, document, checked(given.tree));
  const scan = scanJson(source);
  const text = utf8Decode(source);
  // The quick pass would lose digits of long numbers and the exponent, which a date does not
  // accept.
  if (!scan.hasLongNumber && !scan.isTooDeep && !scan.hasExponent) {
    const quick = tryQuick(rules, document, text, scan.keys);
    if (quick !== undefined) return quick;
  }
  const exact = readDocument(text, source);
  const parsed = carefulPass(rules, document, exact);
  // The exact reader replaces lone surrogates, which the quick pass does not, so such a tree is not
  // kept.
  const isKept = given !== undefined && parsed.mappingUpdate !== undefined;
  if (isKept && !needsExactText(text)) given.tree = exact;
  return parsed;
}

/**
 * The quick pass; `undefined`: the careful one has to decide. The number of keys is compared with
 * that of the bytes, since `JSON.parse` drops repeated ones.
 */
function tryQuick(
  rules: DocumentRules,
  document: DocumentBytes,
  text: string,
  keys: number,
): ParsedDocument | undefined {
  try {
    const tree = JSON.parse(text) as JsonTree;
    if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return undefined;
    const walk = new DocumentWalk(rules, document, false);
    walk.run(tree as Tree);
    return walk.keys === keys ? walk.finish() : undefined;
  } catch (error) {
    if (error === CAREFUL || error instanceof OperationError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

/** The pass over a tree with literals. */
function carefulPass(rules: DocumentRules, document: DocumentBytes, tree: Tree): ParsedDocument {
  const walk = new DocumentWalk(rules, document, true);
  try {
    walk.run(tree);
    return walk.finish();
  } catch (error) {
    if (!(error instanceof OperationError) || isFinal(error)) throw error;
    throw failedToParse(error.problem);
  }
}

function readDocument(text: string, source: Uint8Array): Tree {
  if (!text.trimStart().startsWith("{")) throw noDocument();
  try {
    return readJson(text, source) as Tree;
  } catch (error) {
    if (error instanceof OperationError) throw failedToParse(error.problem);
    throw error;
  }
}

/** The root object of a known tree. */
function checked(tree: JsonTree): Tree {
  if (!isTreeObject(tree)) throw noDocument();
  return tree;
}

function noDocument(): OperationError {
  return failedToParse({
    type: "not_x_content_exception",
    reason:
      "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes",
    status: 400,
  });
}

function failedToParse(causedBy: Problem): OperationError {
  return new OperationError(wrapProblem("failed to parse", causedBy));
}

/** Errors that are not wrapped again. */
function isFinal(error: OperationError): boolean {
  const { type } = error.problem;
  return (
    type === "mapper_parsing_exception" ||
    type === "strict_dynamic_mapping_exception" ||
    isMarkedFinal(error)
  );
}

/** Characters as which a value counts: `copy_to` may multiply a value by thousands. */
const VALUE = 32;

/**
 * One pass over a document. `fields` collects the values of the document or nested object that is
 * being walked.
 */
export class DocumentWalk implements DocumentSink {
  /** Keys met so far. */
  keys = 0;
  readonly rules: DocumentRules;
  /** Path of the current value; `undefined` in the quick pass. */
  readonly path: (string | number)[] | undefined;
  readonly location: (() => ValueLocation) | undefined;
  readonly growth: Growth = new Growth();
  private readonly document: DocumentBytes;
  private readonly isCareful: boolean;
  private fields: FieldValue[] = [];
  private rootFields: FieldValue[] = this.fields;
  private readonly children: FieldValue[][] = [];
  private ignored: Set<string> | undefined;
  private update: DynamicUpdate | undefined;
  private listDepth = 0;

  constructor(rules: DocumentRules, document: DocumentBytes, isCareful: boolean) {
    this.rules = rules;
    this.document = document;
    this.isCareful = isCareful;
    this.path = isCareful ? [] : undefined;
    this.location = isCareful ? () => this.locateValue() : undefined;
  }

  run(tree: Tree): void {
    this.growth.beginLength(this.document.source.length);
    if (this.rules.root.enabled) this.walkObject(this.rules.root, tree);
    else this.keys += countKeys(tree);
  }

  /** The document's values, with its metadata. */
  finish(): ParsedDocument {
    const { routing, source } = this.document;
    this.checkTimestamp();
    if (routing !== undefined) this.rootFields.push({ field: ROUTING, value: routing });
    if (this.ignored !== undefined) {
      for (const name of this.ignored) this.rootFields.push({ field: IGNORED, value: name });
    }
    const { isSourceEnabled, sourceIncludes, sourceExcludes } = this.rules;
    const isFiltered = sourceIncludes.length > 0 || sourceExcludes.length > 0;
    return {
      fields: this.rootFields,
      children: this.children,
      mappingUpdate: this.update?.toJson(),
      source: !isSourceEnabled
        ? undefined
        : isFiltered
          ? filterSource(source, { includes: sourceIncludes, excludes: sourceExcludes })
          : source,
    };
  }

  /** A document that introduces fields is checked when it is parsed again with their mapping. */
  private checkTimestamp(): void {
    const { timestampField } = this.rules;
    if (timestampField === undefined || this.update !== undefined) return;
    const values = this.rootFields.filter(
      ({ field }) => field.name === timestampField && field.docValues && field.type === "long",
    );
    if (values.length === 1) return;
    throw illegalArgument(
      `documents must contain a single-valued timestamp field '${timestampField}' of date type`,
    );
  }

  // ------------------------------------------------------------------------------------------ sink

  add(field: FieldSpec, value: string | number | bigint | Uint8Array): void {
    this.growth.characters(VALUE);
    this.fields.push({ field, value });
  }

  /** Lists a field in `_ignored`, whose malformed value was left out. */
  private ignore(field: string): void {
    this.ignored ??= new Set();
    this.ignored.add(field);
  }

  needLiterals(): void {
    if (!this.isCareful) throw CAREFUL;
  }

  private locateValue(): ValueLocation {
    const { source } = this.document;
    const path: JsonPath = this.path ?? [];
    const { valueAt } = findValue(source, path);
    const tokenEnd = isOpening(source[valueAt]) ? valueAt + 1 : endOfValue(source, valueAt);
    return { ...locate(source, path, "value"), tokenEnd };
  }

  // ------------------------------------------------------------------------------------------ walking

  private walkObject(node: ObjectNode, object: Tree): void {
    for (const key in object) {
      this.keys += 1;
      const value = object[key] as JsonTree; // oxlint-disable-line orrery/client-keys -- one of its own keys, for every field of every document
      this.path?.push(key);
      const child = node.children.get(key);
      if (child !== undefined) this.walkNode(child, value, key);
      else this.walkUnknown(node, key, value);
      this.path?.pop();
    }
  }

  private walkNode(node: Node, value: JsonTree, name: string): void {
    if (node.kind === "field") this.walkField(node.field, value);
    else if (node.kind === "object") this.walkObjectValue(node, value, name);
    else throw illegalArgument(`Cannot write to a field alias [${node.path}].`);
  }

  private walkField(field: CompiledField, value: JsonTree): void {
    if (
      value !== null &&
      typeof value === "object" &&
      !field.takesWholeValue &&
      Array.isArray(value)
    ) {
      this.eachItem(value, (item) => this.walkField(field, item));
      return;
    }
    if (value === null) {
      if (field.nullValue !== undefined) this.indexField(field, field.nullValue);
      return;
    }
    if (typeof value === "object" && !(value instanceof JsonLiteral)) this.keys += countKeys(value);
    this.indexField(field, value);
  }

  /** Visits the items of an array, whose nesting is limited. */
  private eachItem(items: readonly JsonTree[], visit: (item: JsonTree) => void): void {
    this.listDepth += 1;
    checkDepth(this.rules, this.listDepth, "nested array field");
    for (let i = 0; i < items.length; i += 1) {
      this.path?.push(i);
      visit(items[i] as JsonTree);
      this.path?.pop();
    }
    this.listDepth -= 1;
  }

  /** Indexes a value, then its multi-fields and copies. */
  private indexField(field: CompiledField, value: JsonTree): void {
    if (!this.isCareful && !field.ignoreMalformed) field.index(value, this);
    else this.indexGuarded(field, value);
    const { multiFields, copyTo } = field;
    for (let i = 0; i < multiFields.length; i += 1)
      this.indexField(multiFields[i] as CompiledField, value);
    if (copyTo.length > 0) this.copy(copyTo, value);
  }

  /** Indexes a value and decides about its failure: ignored, or reported with the field. */
  private indexGuarded(field: CompiledField, value: JsonTree): void {
    try {
      field.index(value, this);
    } catch (error) {
      if (!(error instanceof OperationError) || isFinal(error) || this.growth.isSpent) throw error;
      if (!field.ignoreMalformed) throw this.fieldFailure(field, value, error.problem);
      // An object in place of one value is skipped without listing the field.
      if (field.takesWholeValue || !isTreeObject(value)) this.ignore(field.name);
    }
  }

  private fieldFailure(field: CompiledField, value: JsonTree, causedBy: Problem): OperationError {
    const start = `failed to parse field [${field.name}] of type [${field.type}]`;
    const reason = !field.showsFailedValue
      ? start
      : `${start} in document with id '${this.document.id}'. Preview of field's value: '${previewOf(value)}'`;
    return new OperationError(wrapProblem(reason, causedBy));
  }

  /**
   * Indexes a value in the fields of `copy_to`; the target's own copies are not followed. Targets
   * outside of a nested object belong to the root document.
   */
  private copy(targets: readonly string[], value: JsonTree): void {
    for (const target of targets) {
      const field = this.rules.fields.get(target);
      if (field === undefined) {
        this.needLiterals();
        this.introduceField(this.rules.root, target.split("."), value);
        continue;
      }
      const before = this.fields;
      if (field.nestedPath === undefined) this.fields = this.rootFields;
      if (!this.isCareful && !field.ignoreMalformed) field.index(value, this);
      else this.indexGuarded(field, value);
      for (const inner of field.multiFields) inner.index(value, this);
      this.fields = before;
    }
  }

  private walkObjectValue(node: ObjectNode, value: JsonTree, name: string | undefined): void {
    if (value === null) return;
    if (!node.enabled) {
      this.keys += countKeys(value);
      return;
    }
    if (Array.isArray(value)) {
      this.eachItem(value, (item) => this.walkObjectValue(node, item, undefined));
      return;
    }
    if (typeof value !== "object" || value instanceof JsonLiteral) {
      throw new OperationError({
        type: "mapper_parsing_exception",
        reason: `object mapping for [${node.path}] tried to parse field [${name ?? "null"}] as object, but found a concrete value`,
        status: 400,
      });
    }
    if (node.isNested) this.walkNested(node, value as Tree);
    else this.walkObject(node, value as Tree);
  }

  /**
   * Walks a nested object. Its children are completed before it, so that they come before it in the
   * index (Lucene's block join).
   */
  private walkNested(node: ObjectNode, value: Tree): void {
    const parent = this.fields;
    this.fields = [{ field: NESTED_PATH, value: node.path }];
    this.walkObject(node, value);
    const child = this.fields;
    this.fields = parent;
    this.children.push(child);
    const copied = child.slice(1);
    if (node.includeInParent) appendAll(parent, copied);
    if (node.includeInRoot && parent !== this.rootFields) appendAll(this.rootFields, copied);
    else if (node.includeInRoot && !node.includeInParent) appendAll(parent, copied);
    if (this.children.length > this.rules.nestedLimit) {
      throw new OperationError({
        type: "mapper_parsing_exception",
        reason: `The number of nested documents has exceeded the allowed limit of [${this.rules.nestedLimit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
        status: 400,
      });
    }
  }

  // ------------------------------------------------------------------------------------------ unknown names

  /** A name that the object does not have: a metadata field, a dotted name, or a new one. */
  private walkUnknown(node: ObjectNode, key: string, value: JsonTree): void {
    if (node.path === "" && METADATA_FIELDS.has(key)) {
      this.needLiterals();
      throw this.metadataFailure(key, value);
    }
    const parts = splitName(key);
    if (parts.length > 1) this.walkDotted(node, parts, value);
    else if (parts[0] !== key) this.walkDotted(node, parts, value);
    else this.introduceField(node, parts, value);
  }

  /** Follows the parts of a dotted name through objects. */
  private walkDotted(node: ObjectNode, parts: readonly string[], value: JsonTree): void {
    let current = node;
    for (const [i, part] of parts.entries()) {
      const child = current.children.get(part);
      const isLast = i === parts.length - 1;
      if (child === undefined) {
        if (value === null) this.passNull(node, parts);
        else this.introduceField(current, parts.slice(i), value);
        return;
      }
      if (isLast) {
        this.walkNode(child, value, part);
      } else if (child.kind === "object") {
        if (!child.enabled) {
          this.keys += countKeys(value);
          return;
        }
        // A path cannot say to which of the nested objects the value belongs.
        if (child.isNested) {
          this.needLiterals();
          throw throughNested(parts, child);
        }
        current = child;
      } else {
        this.needLiterals();
        throw notAnObject(node, parts, i, child);
      }
    }
  }

  /** Null under a dotted name introduces nothing; only a strict object rejects it. */
  private passNull(node: ObjectNode, parts: readonly string[]): void {
    if (node.dynamic !== "strict") return;
    this.needLiterals();
    throw strict(parts.join("."), node.path, "strict");
  }

  /** A name that the object does not have; `parts` lead to it from `node`. */
  private introduceField(node: ObjectNode, parts: readonly string[], value: JsonTree): void {
    if (node.dynamic === "false") {
      this.keys += countKeys(value);
      return;
    }
    this.needLiterals();
    this.keys += countKeys(value);
    this.update ??= createDynamicUpdate(this.rules, this.growth);
    introduce(this.update, node, parts, value);
  }

  private metadataFailure(key: string, value: JsonTree): OperationError {
    const cause: Problem = {
      type: "mapper_parsing_exception",
      reason: `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
      status: 400,
    };
    const reason = `failed to parse field [${key}] of type [${key}] in document with id '${this.document.id}'. Preview of field's value: '${previewOf(value)}'`;
    return new OperationError(wrapProblem(reason, cause));
  }
}

function throughNested(parts: readonly string[], { path }: ObjectNode): OperationError {
  return new OperationError({
    type: "mapper_parsing_exception",
    reason: `Cannot add a value for field [${parts.join(".")}] since one of the intermediate objects is mapped as a nested object: [${path}]`,
    status: 400,
  });
}

function notAnObject(
  node: ObjectNode,
  parts: readonly string[],
  at: number,
  child: FieldNode | Node,
): OperationError {
  const prefix = node.path === "" ? [] : [node.path];
  const whole = [...prefix, ...parts].join(".");
  const upTo = [...prefix, ...parts.slice(0, at + 1)].join(".");
  const type = child.kind === "field" ? child.field.type : "alias";
  return new OperationError({
    type: "mapper_parsing_exception",
    reason: `Could not dynamically add mapping for field [${whole}]. Existing mapping for [${upTo}] must be of type object but found [${type}].`,
    status: 400,
  });
}

/**
 * The parts of a name. Trailing dots are dropped, as Java's `split` does.
 * @throws OperationError 400 for a name that is no path
 */
function splitName(key: string): string[] {
  if (key === "") throw illegalArgument("field name cannot be an empty string");
  if (!key.includes(".")) return [key];
  const parts = key.split(".");
  while (parts.length > 0 && parts.at(-1) === "") parts.pop();
  if (parts.length === 0) throw illegalArgument("field name cannot contain only the character [.]");
  checkParts(parts);
  for (const part of parts) {
    if (part.trim() === "") {
      throw illegalArgument(
        part === ""
          ? `object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`
          : `object field cannot contain only whitespace: ['${key}']`,
      );
    }
  }
  return parts;
}

/** The value as Java's `toString` prints it, cut as in the product's error. */
function previewOf(value: JsonTree): string {
  const text = show(value);
  return text.length > 1000 ? text.slice(0, 1000) : text;
}

function show(value: JsonTree): string {
  if (value instanceof JsonLiteral) {
    const number = Number(value.text);
    return value.isInteger ? value.text : javaDouble(number);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${(value as readonly JsonTree[]).map(show).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value as Tree).map(([key, item]) => `${key}=${show(item)}`);
    return `{${entries.join(", ")}}`;
  }
  return String(value);
}
