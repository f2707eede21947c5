/** Definitions to the trees and tables that parsing documents and queries run on. */
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

export interface ObjectNode {
  readonly kind: "object";
  readonly path: string;
  readonly isNested: boolean;
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
  readonly enabled: boolean;
  /** Inherited. */
  readonly dynamic: Dynamic;
  readonly nestedPath: string | undefined;
  readonly children: ReadonlyMap<string, Node>;
}

export interface FieldNode {
  readonly kind: "field";
  readonly field: CompiledField;
}

export interface AliasNode {
  readonly kind: "alias";
  readonly path: string;
}

export type Node = ObjectNode | FieldNode | AliasNode;

export interface CompiledTree {
  readonly root: ObjectNode;
  readonly fields: ReadonlyMap<string, CompiledField>;
  readonly objects: ReadonlyMap<string, MappedObject>;
  readonly aliases: readonly Alias[];
}

interface Alias {
  readonly path: string;
  readonly target: string;
}

/** A tree of the same settings that the new one grows out of. */
export interface Grown {
  readonly definition: ObjectDefinition;
  readonly tree: CompiledTree;
}

interface CompileState {
  readonly analysis: Analysis;
  readonly ignoreMalformedDefault: boolean;
  readonly coerceDefault: boolean;
  readonly fields: Map<string, CompiledField>;
  readonly objects: Map<string, MappedObject>;
  readonly aliases: Alias[];
}

/**
 * With `before`, nodes of definitions that are still the same object are taken over, so that a new field costs a copy of
 * the tables and not a mapping. Nothing that `before` has may be missing from `root`.
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
  for (const { path, target } of state.aliases) {
    const behind = state.fields.get(target);
    if (behind !== undefined) state.fields.set(path, { ...behind, aliasOf: target });
  }
  return { root: node, fields: state.fields, objects: state.objects, aliases: state.aliases };
}

interface Inherited {
  readonly dynamic: Dynamic;
  readonly nestedPath: string | undefined;
}

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
  // Children are compiled with what they inherit.
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
    // What the field says counts, even when it says the default.
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
