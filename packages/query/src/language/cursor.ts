/** A place in a request body, with the path to it; its functions are in `body/cursor.ts`. */
import type { Json } from "@orrery/stdx";
import type { SearchLanguage } from "./language.ts";

/**
 * A value of a request body, with the way to it from the root. Line and column of the value are
 * computed only when an error names them.
 */
export interface Cursor {
  readonly json: Json;
  /** The language in which the body is read. */
  readonly language: SearchLanguage;
  readonly parent: Cursor | undefined;
  readonly key: string | number;
}
