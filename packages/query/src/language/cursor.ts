/** A place in a request body. Its functions are in `body/cursor.ts`. */
import type { Json } from "@orrery/stdx";
import type { SearchLanguage } from "./language.ts";

export interface Cursor {
  readonly json: Json;
  /** The language that the body is written in. */
  readonly language: SearchLanguage;
  readonly parent: Cursor | undefined;
  readonly key: string | number;
}
