/**
 * A document in a pipeline: the fields of its source with its metadata (`_index`, `_id`, `_routing`, …) in one map,
 * as in the product, and the metadata of the run (`_ingest`). Numbers keep their original digits. Source:
 * `IngestDocument`.
 */
import { JsonLiteral } from "@orrery/query";
import { illegalArgument, lookup, setKey } from "@orrery/stdx";
import { getField, hasField, removeField, setField, type Roots } from "./field-path.ts";
import { findBelow, type TemplateModel } from "./template.ts";
import type { Tree, TreeObject } from "./tree.ts";

/** Names of metadata fields, in the product's order. */
export const METADATA = [
  "_index",
  "_id",
  "_routing",
  "_version",
  "_version_type",
  "_if_seq_no",
  "_if_primary_term",
] as const;

/** Name of a metadata field. */
export type MetadataName = (typeof METADATA)[number];

/** The metadata of a document when its first pipeline begins. */
export type Metadata = { readonly [Name in MetadataName]?: string | number | undefined };

/** Source, metadata and `_ingest` after the pipelines; processors may have set metadata to any value. */
export interface FinishedDocument {
  readonly source: TreeObject;
  readonly metadata: ReadonlyMap<MetadataName, Tree>;
  readonly run: TreeObject;
}

/** Maximum of characters that templates may produce for one document. */
const MOST_RENDERED = 32 * 1024 * 1024;

/** A document during the run of its pipelines. */
export class IngestDocument implements TemplateModel {
  private readonly roots: Roots;
  private rendered = 0;

  /** The source is modified in place. */
  constructor(source: TreeObject, metadata: Metadata, timestamp: string) {
    for (const name of METADATA) {
      const value = metadata[name];
      if (value === undefined) continue;
      setKey(source, name, typeof value === "number" ? new JsonLiteral(String(value)) : value);
    }
    this.roots = { fields: source, ingest: { timestamp } };
  }

  has(path: string): boolean {
    return hasField(this.roots, path);
  }

  /** Whether the field exists. Throws for a list index out of range. */
  hasInRange(path: string): boolean {
    return hasField(this.roots, path, true);
  }

  /** The value at a path. Throws `OperationError` when the field does not exist. */
  get(path: string): Tree {
    return getField(this.roots, path);
  }

  /** Sets a field. The document takes ownership of the value. */
  set(path: string, value: Tree): void {
    setField(this.roots, path, value);
  }

  remove(path: string): void {
    removeField(this.roots, path);
  }

  /** Names of the top-level fields of the source, without metadata. */
  fieldNames(): string[] {
    return Object.keys(this.roots.fields).filter((name) => !isMetadata(name));
  }

  /** Removes a top-level field by its literal name, which may contain dots. */
  removeField(name: string): void {
    delete this.roots.fields[name]; // oxlint-disable-line orrery/client-keys -- removing needs no own key
  }

  find(name: string): Tree | undefined {
    // A field whose literal name contains dots takes precedence over nested fields.
    const whole = lookup(this.roots.fields, name);
    if (whole !== undefined && name.includes(".")) return whole;
    const [first = "", ...rest] = name.split(".");
    if (first === "_ingest") return findBelow(this.roots.ingest, rest);
    if (first === "_source") return findBelow(this.roots.fields, rest);
    return findBelow(this.roots.fields, [first, ...rest]);
  }

  charge(characters: number): void {
    this.rendered += characters;
    if (this.rendered <= MOST_RENDERED) return;
    throw illegalArgument(`templates made more than [${MOST_RENDERED}] characters of a document`);
  }

  /** Sets a member of `_ingest`; `undefined` removes it. */
  setIngestMetadata(name: string, value: string | undefined): void {
    if (value !== undefined) setKey(this.roots.ingest, name, value);
    else if (lookup(this.roots.ingest, name) !== undefined)
      removeField(this.roots, `_ingest.${name}`);
  }

  /** Separates source and metadata. The document must not be used afterwards. */
  finish(): FinishedDocument {
    const { fields, ingest: run } = this.roots;
    const metadata = new Map<MetadataName, Tree>();
    for (const name of METADATA) {
      const value = lookup(fields, name);
      if (value === undefined) continue;
      metadata.set(name, value);
      delete fields[name];
    }
    return { source: fields, metadata, run };
  }
}

function isMetadata(name: string): boolean {
  return METADATA.some((own) => own === name);
}
