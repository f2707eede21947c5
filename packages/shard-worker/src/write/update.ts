/** Partial updates (`UpdateHelper`): the primary merges a document into its newest version. */
import type { BulkItem } from "@orrery/protocol";
import {
  isTreeObject,
  mergeTrees,
  readStoredTree,
  readTree,
  sourceFilterOf,
  sourceOfTree,
  toJson,
  treeJson,
  type DocumentSource,
  type JsonTree,
  type SourceOption,
  type TreeObject,
} from "@orrery/query";
import {
  illegalArgument,
  lookup,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Problem,
} from "@orrery/stdx";
import { versionConflict } from "../engine/conflict.ts";
import { readDocument, type FoundDocument } from "../engine/get.ts";
import type { EngineState } from "../engine/types.ts";
import { keptSource, optionOf } from "../search/wanted-source.ts";

/** The outcome of an update: a document to index, or no change (`detect_noop`) with the current document. */
export type UpdatePlan =
  | {
      readonly kind: "index";
      readonly source: DocumentSource;
      readonly routing: string | undefined;
      /** The current version; `undefined`: the update creates the document. */
      readonly before: FoundDocument | undefined;
    }
  | { readonly kind: "noop"; readonly before: FoundDocument; readonly source: Uint8Array };

/** The body of an update request: `doc`, `upsert`, `script` and options. */
export type UpdateBody = TreeObject;

/**
 * Parses the body of an update.
 * @throws OperationError `mapper_parsing_exception`: the body is not exactly one JSON object.
 */
export function readUpdate({ source }: BulkItem): UpdateBody {
  return objectIn(source, readTree);
}

/**
 * Computes the outcome of an update without writing.
 * @throws OperationError The document is missing, in conflict or without source; or the request is malformed or has a
 *   script.
 */
export function planUpdate(engine: EngineState, item: BulkItem, body: UpdateBody): UpdatePlan {
  const before = readDocument(engine, item.id, true);
  checkCondition(engine, item, before);
  const script = lookup(body, "script");
  const doc = lookup(body, "doc");
  if (before === undefined) {
    const upsert = lookup(body, "upsert");
    const whole = isTrue(lookup(body, "doc_as_upsert")) ? doc : undefined;
    // An `upsert` of null is no document, and fails as one.
    const created = upsert === undefined ? whole : upsert;
    if (created === undefined) throw missing(engine, item.id);
    if (script !== undefined && isTrue(lookup(body, "scripted_upsert"))) throw noScripts(script);
    const routing = item.routing === "" ? undefined : item.routing;
    return { kind: "index", source: sourceOfTree(created), routing, before };
  }
  if (before.source === undefined) throw sourceMissing(engine, item.id);
  if (script !== undefined) throw noScripts(script);
  if (!isTreeObject(doc)) throw illegalArgument("script or doc is missing");
  const { merged, changed } = mergeTrees(objectIn(before.source, readStoredTree), doc);
  const detectsNoop = scalarText(lookup(body, "detect_noop")) !== "false";
  if (!changed && detectsNoop) return { kind: "noop", before, source: before.source };
  // The document keeps its routing; that of the request only addresses the shard.
  return { kind: "index", source: sourceOfTree(merged), routing: before.routing, before };
}

function objectIn(bytes: Uint8Array, read: (bytes: Uint8Array) => JsonTree): TreeObject {
  let tree: JsonTree;
  try {
    tree = read(bytes);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw failedToParse(error.problem);
  }
  if (isTreeObject(tree)) return tree;
  const reason = "not an object";
  throw failedToParse({ type: "not_x_content_exception", reason, status: 400 });
}

function failedToParse(causedBy: Problem): OperationError {
  const reason = "failed to parse";
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400, causedBy });
}

/** The `get` object of the result; `undefined` unless the request asks for `_source`. */
export function updatedDocument(
  { item, body }: { readonly item: BulkItem; readonly body: UpdateBody },
  written: { readonly seqNo: number; readonly primaryTerm: number },
  source: Uint8Array,
): Uint8Array | undefined {
  const kept = wantedPart({ item, body }, source);
  if (kept === undefined) return undefined;
  const head = `{"_seq_no":${written.seqNo},"_primary_term":${written.primaryTerm},"found":true`;
  return utf8Encode(`${head},"_source":${utf8Decode(kept)}}`);
}

/** The part of the source that the request asks for in its answer; `undefined`: the request asks for none. */
export function wantedPart(
  { item, body }: { readonly item: BulkItem; readonly body: UpdateBody },
  source: Uint8Array,
): Uint8Array | undefined {
  const wanted = item.fetchSource === null ? sourceInBody(body) : optionOf(item.fetchSource);
  return wanted && keptSource(source, wanted);
}

function sourceInBody(body: UpdateBody): SourceOption | undefined {
  const asked = lookup(body, "_source");
  return asked === undefined ? undefined : sourceFilterOf(toJson(asked));
}

function checkCondition(
  engine: EngineState,
  item: BulkItem,
  before: FoundDocument | undefined,
): void {
  if (item.ifSeqNo === null) return;
  const required = `required seqNo [${item.ifSeqNo}], primary term [${item.ifPrimaryTerm ?? 0}].`;
  if (before === undefined) throw missing(engine, item.id);
  if (before.seqNo === item.ifSeqNo && before.primaryTerm === item.ifPrimaryTerm) return;
  const current = `current document has seqNo [${before.seqNo}] and primary term [${before.primaryTerm}]`;
  throw new OperationError(versionConflict(engine.options, item.id, `${required} ${current}`));
}

function isTrue(value: JsonTree | undefined): boolean {
  return scalarText(value) === "true";
}

/** The value without quotes; empty for an array or object. */
function scalarText(value: JsonTree | undefined): string {
  const isScalar = value !== undefined && !Array.isArray(value) && !isTreeObject(value);
  return isScalar ? treeJson(value).replaceAll('"', "") : "";
}

function missing(engine: EngineState, id: string): OperationError {
  return new OperationError(
    documentProblem(engine, "document_missing_exception", `[${id}]: document missing`, 404),
  );
}

function sourceMissing(engine: EngineState, id: string): OperationError {
  const reason = `[${id}]: document source missing`;
  return new OperationError(
    documentProblem(engine, "document_source_missing_exception", reason, 400),
  );
}

function documentProblem(
  { options }: EngineState,
  type: string,
  reason: string,
  status: number,
): Problem {
  const { index, shard, indexUuid } = options;
  const metadata = { index, shard: String(shard), index_uuid: indexUuid };
  return { type, reason, status, metadata };
}

function noScripts(script: JsonTree): OperationError {
  const lang = isTreeObject(script) ? scalarText(lookup(script, "lang")) : "";
  const cause = illegalArgument(`script_lang not supported [${lang === "" ? "painless" : lang}]`);
  return illegalArgument("failed to execute script", cause.problem);
}
