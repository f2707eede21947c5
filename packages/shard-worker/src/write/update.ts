/** Partial updates: what the document becomes, decided on the primary against its newest version. Source: `UpdateHelper`. */
import type { BulkItem } from "@orrery/protocol";
import { sourceFilterOf, type SourceOption } from "@orrery/query";
import {
  illegalArgument,
  isJsonObject,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Json,
  type Problem,
} from "@orrery/stdx";
import { versionConflict } from "../engine/conflict.ts";
import { readDocument, type FoundDocument } from "../engine/get.ts";
import type { EngineState } from "../engine/types.ts";
import { keptSource, optionOf } from "../search/wanted-source.ts";
import { mergeSource, parseSource, printSource, type SourceTree } from "./source-tree.ts";

export type UpdatePlan =
  | {
      readonly kind: "index";
      readonly source: Uint8Array;
      readonly routing: string | undefined;
      /** The document that was read; `undefined`: this creates it. */
      readonly before: FoundDocument | undefined;
    }
  | { readonly kind: "noop"; readonly before: FoundDocument; readonly source: Uint8Array };

/** Throws `OperationError`: the document is missing, in conflict, or the request cannot be understood. */
export function planUpdate(engine: EngineState, item: BulkItem): UpdatePlan {
  const { entries } = parseSource(item.source);
  const before = readDocument(engine, item.id, true);
  checkCondition(engine, item, before);
  const routing = item.routing === "" ? before?.routing : item.routing;
  const script = entries.get("script");
  const doc = entries.get("doc");
  const upsert = entries.get("upsert");
  if (before === undefined) {
    const created = upsert ?? (isTrue(entries.get("doc_as_upsert")) ? doc : undefined);
    if (created === undefined) throw missing(engine, item.id);
    if (script !== undefined && isTrue(entries.get("scripted_upsert"))) throw noScripts(script);
    return { kind: "index", source: printSource(created), routing, before };
  }
  if (before.source === undefined) throw sourceMissing(engine, item.id);
  if (script !== undefined) throw noScripts(script);
  if (doc?.kind !== "object") throw illegalArgument("script or doc is missing");
  const { merged, changed } = mergeSource(parseSource(before.source), doc);
  const detectsNoop = print(entries.get("detect_noop")) !== "false";
  if (!changed && detectsNoop) return { kind: "noop", before, source: before.source };
  return { kind: "index", source: printSource(merged), routing, before };
}

/** The `get` object of the answer, or nothing when no `_source` was asked for. */
export function updatedDocument(
  item: BulkItem,
  written: { readonly seqNo: number; readonly primaryTerm: number },
  source: Uint8Array,
): Uint8Array | undefined {
  const wanted = item.fetchSource === null ? sourceInBody(item) : optionOf(item.fetchSource);
  const kept = wanted && keptSource(source, wanted);
  if (kept === undefined) return undefined;
  const head = `{"_seq_no":${written.seqNo},"_primary_term":${written.primaryTerm},"found":true`;
  return utf8Encode(`${head},"_source":${utf8Decode(kept)}}`);
}

function sourceInBody(item: BulkItem): SourceOption | undefined {
  if (!utf8Decode(item.source).includes('"_source"')) return undefined;
  const body = JSON.parse(utf8Decode(item.source)) as Json;
  const asked = isJsonObject(body) ? body["_source"] : undefined;
  return asked === undefined ? undefined : sourceFilterOf(asked);
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

function isTrue(value: SourceTree | undefined): boolean {
  return print(value) === "true";
}

function print(value: SourceTree | undefined): string {
  return value?.kind === "leaf" ? value.text.replaceAll('"', "") : "";
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

function noScripts(script: SourceTree): OperationError {
  const lang = script.kind === "object" ? print(script.entries.get("lang")) : "";
  const cause = illegalArgument(`script_lang not supported [${lang === "" ? "painless" : lang}]`);
  return illegalArgument("failed to execute script", cause.problem);
}
