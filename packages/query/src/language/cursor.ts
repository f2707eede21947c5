/** A place in a request body, with the path to it; its functions are in `body/cursor.ts`. */
import type { Json } from "@orrery/stdx";
import type { SearchLanguage } from "./language.ts";

/** Errors name the place by line and column, which are found only when an error occurs. */
export interface Cursor {
  readonly json: Json;
  /** The language in which the body is read. */
  readonly language: SearchLanguage;
  readonly parent: Cursor | undefined;
  readonly key: string | number;
}
