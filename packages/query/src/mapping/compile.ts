/**
 * Compiles definitions to the tree on which documents are parsed, and to the tables by which
 * queries find fields. Source: `DocumentMapper`, `MappingLookup`.
 */
import { lookup, setKey, type Json } from "@orrery/stdx";
import type { Analysis } from "@orrery/analysis";
import type { IndexSettings, MappedObject } from "../language/mapping.ts";
import {
  leafOf,
  type Definition,
  type Dynamic,
  type FieldDefinition,
  type ObjectDefinition,
} from "./definition.ts";
import type { CompiledField, CompiledType } from "../language/field-type.ts";
import { metadataField } from "./metadata.ts";
import { printField } from "./print.ts";

/** An object of the mapping with its members by name. */
export interface ObjectNode {
  readonly kind: "object";
  readonly path: string;
  readonly isNested: boolean;
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
  readonly enabled: boolean;
  /** The object's own setting, or the inherited one. */
  readonly dynamic: Dynamic;
  readonly nestedPath: string | undefined;
  readonly children: ReadonlyMap<string, Node>;
}

/** A field, found by the last part of its path. */
export interface FieldNode {
  readonly kind: "field";
  readonly field: CompiledField;
}

/** A field alias in a compiled mapping. Documents cannot contain it. */
export interface AliasNode {
  readonly kind: "alias";
  readonly path: string;
}

/** A member of an object in a compiled mapping. */
export type Node = ObjectNode | FieldNode | AliasNode;

/** The compiled mapping; fields and objects are keyed by full path. */
export interface CompiledTree {
  readonly root: ObjectNode;
  readonly fields: ReadonlyMap<string, CompiledField>;
  readonly objects: ReadonlyMap<string, MappedObject>;
  readonly aliases: readonly Alias[];
}

/** An alias and the path of its field. */
interface Alias {
  readonly path: string;
  readonly target: string;
}

/**
 * The definition and tree of a mapping to which fields are added; the settings of the index do not
 * change.
 */
export interface Grown {
  readonly definition: ObjectDefinition;
  readonly tree: CompiledTree;
}

/** Tables that are filled while the tree is compiled. */
interface CompileState {
  readonly analysis: Analysis;
  readonly ignoreMalformedDefault: boolean;
  readonly coerceDefault: boolean;
  readonly fields: Map<string, CompiledField>;
  readonly objects: Map<string, MappedObject>;
  readonly aliases: Alias[];
}

/**
 * Compiles a mapping. With `before`, nodes whose definitions are the same objects are reused, so a
 * new field costs a copy of the tables and not a compilation of all fields. `root` must contain
 * everything of `before`.
 */
export function compileTree(
  root: ObjectDefinition,
  analysis: Analysis,
  settings: IndexSettings,
  before?: Grown,
): CompiledTree {
  const state: CompileState = {
    analysis,
    ignoreMalformedDefault: settings["index.mapping.ignore_malformed"] === "true",
    coerceDefault: settings["index.mapping.coerce"] !== "false",
    fields: new Map(before?.tree.fields),
    objects: new Map(before?.tree.objects),
    aliases: [...(before?.tree.aliases ?? [])],
  };
  const compiled = before && { definition: before.definition, node: before.tree.root };
  const inherited: Inherited = { dynamic: "true", nestedPath: undefined };
  const node = compileObject(root, inherited, state, compiled);
  // After all fields, as the field of an alias may be defined later.
  for (const { path, target } of state.aliases) {
    const behind = state.fields.get(target);
    if (behind !== undefined) state.fields.set(path, { ...behind, aliasOf: target });
  }
  return { root: node, fields: state.fields, objects: state.objects, aliases: state.aliases };
}

/** Settings that children inherit. */
interface Inherited {
  readonly dynamic: Dynamic;
  readonly nestedPath: string | undefined;
}

/** An object's definition and node in the mapping before. */
interface CompiledBefore {
  readonly definition: ObjectDefinition;
  readonly node: ObjectNode;
}

function compileObject(
  object: ObjectDefinition,
  inherited: Inherited,
  state: CompileState,
  before: CompiledBefore | undefined,
): ObjectNode {
  const dynamic = object.dynamic ?? inherited.dynamic;
  const nestedPath = object.isNested ? object.path : inherited.nestedPath;
  if (object.path !== "")
    state.objects.set(object.path, { path: object.path, isNested: object.isNested });
  // Children were compiled with what they inherit, so another inheritance recompiles them.
  const isAsBefore = before?.node.dynamic === dynamic && before.node.nestedPath === nestedPath;
  const children = new Map<string, Node>();
  for (const [name, definition] of object.properties) {
    const earlier = isAsBefore ? before.definition.properties.get(name) : undefined;
    const node = isAsBefore ? before.node.children.get(name) : undefined;
    if (node !== undefined && earlier === definition) {
      children.set(name, node);
      continue;
    }
    const grown =
      earlier?.kind === "object" && node?.kind === "object"
        ? { definition: earlier, node }
        : undefined;
    children.set(name, compileNode(definition, { dynamic, nestedPath }, state, grown));
  }
  const { path, isNested, includeInParent, includeInRoot, enabled } = object;
  return {
    kind: "object",
    path,
    isNested,
    includeInParent,
    includeInRoot,
    enabled,
    dynamic,
    nestedPath,
    children,
  };
}

function compileNode(
  definition: Definition,
  inherited: Inherited,
  state: CompileState,
  before: CompiledBefore | undefined,
): Node {
  switch (definition.kind) {
    case "object":
      return compileObject(definition, inherited, state, before);
    case "alias":
      state.aliases.push({ path: definition.path, target: definition.target });
      return { kind: "alias", path: definition.path };
    case "field":
      return { kind: "field", field: compileField(definition, inherited.nestedPath, state) };
  }
}

function compileField(
  definition: FieldDefinition,
  nestedPath: string | undefined,
  state: CompileState,
): CompiledField {
  const type = definition.fieldType;
  const parameters: Record<string, Json> = {};
  for (const [key, parameter] of Object.entries(type.parameters)) {
    setKey(parameters, key, lookup(definition.parameters, key) ?? parameter.fallback);
  }
  const compiled = type.compile({
    name: definition.path,
    type: definition.type,
    parameters,
    analysis: state.analysis,
    // A given value counts even if it equals the default.
    ignoreMalformedDefault:
      definition.parameters["ignore_malformed"] === undefined && state.ignoreMalformedDefault,
    coerceDefault: state.coerceDefault,
  });
  const multiFields = [...definition.fields.values()].map((inner) =>
    compileField(inner, nestedPath, state),
  );
  const field = completeField(compiled, {
    name: definition.path,
    type: definition.type,
    isMetadata: false,
    definition: printField(definition),
    isStored: parameters["store"] === true,
    nestedPath,
    copyTo: definition.copyTo,
    multiFields,
  });
  state.fields.set(field.name, field);
  return field;
}

/** The members of a field that its type does not give. */
type Naming = Pick<
  CompiledField,
  | "name"
  | "type"
  | "isMetadata"
  | "definition"
  | "isStored"
  | "nestedPath"
  | "copyTo"
  | "multiFields"
>;

/** The field of a compiled type, with defaults for what the type leaves out. */
export function completeField(compiled: CompiledType, naming: Naming): CompiledField {
  return {
    ...naming,
    leafName: leafOf(naming.name),
    spec: compiled.spec,
    values: compiled.values,
    index: compiled.index,
    nullValue: compiled.nullValue,
    takesWholeValue: compiled.takesWholeValue ?? false,
    ignoreMalformed: compiled.ignoreMalformed ?? false,
    analyzer: compiled.analyzer,
    searchAnalyzer: compiled.searchAnalyzer,
    searchQuoteAnalyzer: compiled.searchQuoteAnalyzer,
    normalize: compiled.normalize ?? ((text) => text),
    dateFormat: compiled.dateFormat,
    present: compiled.present ?? (() => undefined),
    hasConstantTermScore: compiled.hasConstantTermScore ?? false,
    isIndexed: compiled.isIndexed,
    hasDocValues: compiled.hasDocValues,
    text: compiled.text,
    isCollapsible: compiled.isCollapsible ?? false,
    queries: compiled.queries ?? {},
    columnValues: compiled.columnValues,
    showsFailedValue: compiled.showsFailedValue ?? true,
    aliasOf: undefined,
  };
}

/**
 * The metadata fields, which every mapping has. A document may lack values of some (`_routing`,
 * `_ignored`, `_nested_path`).
 */
export function metadataFields(): CompiledField[] {
  return [
    "_id",
    "_index",
    "_routing",
    "_ignored",
    "_seq_no",
    "_version",
    "_primary_term",
    "_nested_path",
  ].map((name) =>
    completeField(metadataField(name), {
      name,
      type: name,
      isMetadata: true,
      definition: {},
      isStored: name === "_routing" || name === "_ignored",
      nestedPath: undefined,
      copyTo: [],
      multiFields: [],
    }),
  );
}
