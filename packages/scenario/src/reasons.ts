/** Reason of an error response, for sentences. */
import { isJsonObject, type Json } from "@orrery/stdx";

/** Reason of the innermost cause, as the product words it; the whole body if it is no error. */
export function reasonOf(body: Json | undefined): string {
  if (body === undefined) return "there was no answer";
  const error = isJsonObject(body) ? body["error"] : undefined;
  if (typeof error === "string") return error;
  return reasonIn(error) ?? JSON.stringify(body);
}

function reasonIn(error: Json | undefined): string | undefined {
  if (!isJsonObject(error)) return undefined;
  const { reason } = error;
  return reasonIn(error["caused_by"]) ?? (typeof reason === "string" ? reason : undefined);
}
