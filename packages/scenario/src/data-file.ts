/**
 * Documents of a file: one JSON object per line, or the form of `_bulk` with an action line before each document.
 *
 * The documents become part of the plan, so that a bundle contains them and a replay needs no file.
 */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";

export interface FileDocument {
  readonly id: string;
  /** Source of the document as in the file: JSON text. */
  readonly source: string;
}

/** Reads a file that a plan names, relative to the scenario. */
export type ReadFile = (name: string) => FileText;
/** Text of a file, or the reason for refusing it as the end of a sentence. */
export type FileText = { readonly text: string } | { readonly refusal: string };

/** Size limit: a bundle contains every byte. */
export const LARGEST_FILE_BYTES: number = 16 * 1024 * 1024;

/** Documents of the text; a sentence if it contains none, or anything else. */
export function readDocuments(text: string): readonly FileDocument[] | string {
  const lines = text.split("\n").map((line) => line.trim());
  const places = lines.flatMap((line, i) => (line === "" ? [] : [{ line, number: i + 1 }]));
  const [first] = places;
  if (first === undefined) return "holds no document";
  const isBulk = actionOf(jsonOf(first.line)) !== undefined;
  const read = isBulk ? readActions(places) : readSources(places);
  return typeof read === "string" ? read : (repeated(read) ?? read);
}

interface Line {
  readonly line: string;
  readonly number: number;
}

function readSources(lines: readonly Line[]): readonly FileDocument[] | string {
  const documents: FileDocument[] = [];
  for (const { line, number } of lines) {
    if (jsonOf(line) === undefined) return notAnObject(number);
    documents.push({ id: String(documents.length + 1), source: line });
  }
  return documents;
}

function readActions(lines: readonly Line[]): readonly FileDocument[] | string {
  const documents: FileDocument[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [action, source] = lines.slice(at, at + 2);
    if (action === undefined) break;
    const id = idOf(action, documents.length + 1);
    if (typeof id !== "string") return id.refusal;
    if (source === undefined)
      return `ends with line ${action.number}, an action without a document`;
    if (jsonOf(source.line) === undefined) return notAnObject(source.number);
    documents.push({ id, source: source.line });
  }
  return documents;
}

const LOADED: ReadonlySet<string> = new Set(["_id", "_index"]);

function idOf({ line, number }: Line, otherwise: number): string | { readonly refusal: string } {
  const json = jsonOf(line);
  if (json === undefined) return { refusal: notAnObject(number) };
  const metadata = actionOf(json);
  if (metadata === undefined)
    return { refusal: `has in line ${number} no action: only [index] and [create] can be loaded` };
  const other = Object.keys(metadata).find((key) => !LOADED.has(key));
  if (other !== undefined)
    return { refusal: `has [${other}] in line ${number}: only [_id] can be loaded` };
  const { _id: id = otherwise } = metadata;
  if (typeof id === "number" || (typeof id === "string" && id !== "")) return String(id);
  return { refusal: `has in line ${number} an [_id] that is no text` };
}

/** Metadata of an action line; `undefined` if the object is no action that indexes a document. */
function actionOf(json: JsonObject | undefined): JsonObject | undefined {
  const entries = Object.entries(json ?? {});
  const [name, metadata] = entries[0] ?? [];
  const isAction = entries.length === 1 && (name === "index" || name === "create");
  return isAction && isJsonObject(metadata) ? metadata : undefined;
}

function notAnObject(line: number): string {
  return `is not NDJSON: line ${line} is no JSON object`;
}

function jsonOf(line: string): JsonObject | undefined {
  try {
    const json = JSON.parse(line) as Json;
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function repeated(documents: readonly FileDocument[]): string | undefined {
  const seen = new Set<string>();
  for (const { id } of documents) {
    if (seen.has(id)) return `has two documents of the id [${id}]`;
    seen.add(id);
  }
  return undefined;
}
