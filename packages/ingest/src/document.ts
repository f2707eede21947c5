/**
 * A document in a pipeline: fields of its source with its metadata (`_index`, `_id`, `_routing`, …) beside them, as the product keeps both in
 * one map, and the metadata of the run (`_ingest`). Numbers keep the digits with which they were written. Source: `IngestDocument`.
 */
import { JsonLiteral } from "@orrery/query";
import { illegalArgument, lookup, setKey } from "@orrery/stdx";
import { getField, hasField, removeField, setField, type Roots } from "./field-path.ts";
import { findBelow, type TemplateModel } from "./template.ts";
import type { Tree, TreeObject } from "./tree.ts";

/** Names of metadata, in the product's order. */
export const METADATA = [
  "_index",
  "_id",
  "_routing",
  "_version",
  "_version_type",
  "_if_seq_no",
  "_if_primary_term",
] as const;

export type MetadataName = (typeof METADATA)[number];

export type Metadata = { readonly [Name in MetadataName]?: string | number | undefined };

export interface FinishedDocument {
  readonly source: TreeObject;
  readonly metadata: ReadonlyMap<MetadataName, Tree>;
  readonly run: TreeObject;
}

/** Characters that templates may make for one document. */
const MOST_RENDERED = 32 * 1024 * 1024;

export class IngestDocument implements TemplateModel {
  private readonly roots: Roots;
  private rendered = 0;

  /** The source is changed in place. */
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

  /** Throws for a position outside of its list. */
  hasInRange(path: string): boolean {
    return hasField(this.roots, path, true);
  }

  /** Throws `OperationError` when there is no such field. */
  get(path: string): Tree {
    return getField(this.roots, path);
  }

  /** The value becomes part of the document: the caller keeps no hold of it. */
  set(path: string, value: Tree): void {
    setField(this.roots, path, value);
  }

  remove(path: string): void {
    removeField(this.roots, path);
  }

  /** Names of the source's own fields. */
  fieldNames(): string[] {
    return Object.keys(this.roots.fields).filter((name) => !isMetadata(name));
  }

  /** A field of the source by its name, which may have dots in it. */
  removeField(name: string): void {
    delete this.roots.fields[name]; // oxlint-disable-line orrery/client-keys -- removing needs no own key
  }

  find(name: string): Tree | undefined {
    // A field with dots in its name comes before fields in each other.
    const whole = lookup(this.roots.fields, name);
    if (whole !== undefined && name.includes(".")) return whole;
    const [first = "", ...rest] = name.split(".");
    if (first === "_ingest") return findBelow(this.roots.ingest, rest);
    if (first === "_source") return findBelow(this.roots.fields, rest);
    return findBelow(this.roots.fields, [first, ...rest]);
  }

  spend(characters: number): void {
    this.rendered += characters;
    if (this.rendered <= MOST_RENDERED) return;
    throw illegalArgument(`templates made more than [${MOST_RENDERED}] characters of a document`);
  }

  /** A member of `_ingest`; `undefined` removes it. */
  note(name: string, value: string | undefined): void {
    if (value !== undefined) setKey(this.roots.ingest, name, value);
    else if (lookup(this.roots.ingest, name) !== undefined)
      removeField(this.roots, `_ingest.${name}`);
  }

  /** The source without the metadata, the metadata, and that of the run. The document is over. */
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
