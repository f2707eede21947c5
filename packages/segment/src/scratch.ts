/** Room for one term, or id, at a time: in use only inside `SegmentWriter.add`, so all writers of a thread can share it. */
import { MAX_TERM_BYTES } from "./types.ts";

export const scratch: Uint8Array = new Uint8Array(MAX_TERM_BYTES * 3 + 3);
