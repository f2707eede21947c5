/** JSON inside messages: what a peer sent that is none is refused, as malformed bytes are. */
import { OperationError } from "@orrery/stdx";

/** Throws `OperationError` for text that is no JSON object. What is in the object is the reader's to check. */
export function readJsonBody(text: string): object {
  const body = parse(text);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  const reason = "malformed body: it is no JSON object";
  throw new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
