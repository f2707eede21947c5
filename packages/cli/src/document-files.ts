/** Files for the documents of a plan that are too many for a readable scenario: they are written beside it. */
import { basename, dirname, join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { writeAtomically } from "./atomic-file.ts";

/** Number of documents up to which they stay in the scenario. */
const MOST_DOCUMENTS = 20;

/** Writes the files, and returns the plan with their names. */
export function withDocumentFiles(plan: JsonObject, scenario: string): JsonObject {
  const { indices } = plan;
  if (!isJsonObject(indices)) return plan;
  const entries = Object.entries(indices).map(([name, index]): [string, Json] => {
    const data = isJsonObject(index) ? index["data"] : undefined;
    const contents = isJsonObject(data) ? data["contents"] : undefined;
    if (!isJsonObject(index) || !Array.isArray(contents)) return [name, index ?? null];
    const documents = contents as readonly Json[];
    if (documents.length <= MOST_DOCUMENTS) return [name, index];
    const file = `${basename(scenario).replace(/\.ya?ml$/, "")}-${name}.ndjson`;
    writeAtomically(join(dirname(scenario), file), documents.map(linesOf).join(""));
    return [name, { ...index, data: { file } }];
  });
  return { ...plan, indices: Object.fromEntries(entries) };
}

function linesOf(document: Json): string {
  if (!isJsonObject(document)) return "";
  return `${JSON.stringify({ index: { _id: document["id"] } })}\n${String(document["source"])}\n`;
}
