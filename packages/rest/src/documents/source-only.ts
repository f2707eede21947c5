/** Responses of `get_source` and `exists_source`: the bare `_source` of a document, or the reason why there is none. */
import type { Cluster } from "@orrery/node";
import { OperationError } from "@orrery/stdx";
import { raw } from "../json/printable.ts";
import type { Answer } from "../operation.ts";
import type { Parsed } from "../parameters.ts";
import { validate } from "../validation.ts";
import { getRequest, type GetParameters } from "./get-parameters.ts";

/** The response with the `_source`. Rejects with 404 when the document or its source is missing. */
export async function sourceAnswer(
  path: Readonly<Record<string, string | undefined>>,
  query: Parsed<GetParameters>,
  cluster: Cluster,
): Promise<Answer> {
  const request = getRequest(path["index"] ?? "", path["id"] ?? "", query);
  validate([request.source === false && "fetching source can not be disabled"]);
  const result = await cluster.get(request);
  const name = `[${result.index}]/[${result.id}]`;
  if (!result.found) throw missing(`Document not found ${name}`);
  if (result.source === undefined) throw missing(`Source not found ${name}`);
  return { body: raw(result.source) };
}

function missing(reason: string): OperationError {
  return new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}
