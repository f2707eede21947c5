/**
 * Scratch bytes for one term or id, used only within `SegmentWriter.add`, so all writers of a thread share them.
 * Three bytes per UTF-16 unit always suffice for UTF-8.
 */
import { MAX_TERM_BYTES } from "./types.ts";

export const scratch: Uint8Array = new Uint8Array(MAX_TERM_BYTES * 3 + 3);
