/** JSON as a stream of events: the interface of writers and filters, and the functions that feed values and texts into it. */
import { utf8Decode } from "@orrery/stdx";
import { isRaw, rawContent, type Printable } from "./printable.ts";

/** Kind of a scalar; a `word` is `true`, `false` or `null`. */
export type ScalarKind = "text" | "number" | "word";

/** Receiver of events in document order. In an object each value follows its `key`. */
export interface JsonSink {
  startObject(): void;
  endObject(): void;
  startArray(): void;
  endArray(): void;
  key(name: string): void;
  /** A scalar as JSON text: a string is quoted and escaped. */
  scalar(literal: string, kind: ScalarKind): void;
  /** Skips the next value when the sink would drop all of it. Returns whether it did. */
  skip?(): boolean;
}

/** Feeds a value; raw parts are scanned. */
export function feed(value: Printable, sink: JsonSink): void {
  if (value === null) return sink.scalar("null", "word");
  switch (typeof value) {
    case "string":
      return sink.scalar(JSON.stringify(value), "text");
    case "number":
      return sink.scalar(Number.isFinite(value) ? String(value) : "null", "number");
    case "bigint":
      return sink.scalar(value.toString(), "number");
    case "boolean":
      return sink.scalar(value ? "true" : "false", "word");
    default:
  }
  if (sink.skip?.() === true) return undefined;
  if (Array.isArray(value)) return feedArray(value as readonly Printable[], sink);
  if (isRaw(value)) {
    const content = rawContent(value);
    return feedText(typeof content === "string" ? content : utf8Decode(content), sink);
  }
  sink.startObject();
  for (const [key, item] of Object.entries(
    value as { readonly [key: string]: Printable | undefined },
  )) {
    if (item === undefined) continue;
    sink.key(key);
    feed(item, sink);
  }
  sink.endObject();
}

function feedArray(items: readonly Printable[], sink: JsonSink): void {
  sink.startArray();
  for (const item of items) feed(item, sink);
  sink.endArray();
}

const TOKEN = /[\s,:]*(?:([{}[\]])|("(?:[^"\\]|\\.)*")|([^\s,:{}[\]"]+))/gy;

/** Feeds JSON text. The text must be valid: it was printed here, or accepted as a document. */
function feedText(text: string, sink: JsonSink): void {
  TOKEN.lastIndex = 0;
  const inObject: boolean[] = [];
  let expectsKey = false;
  for (;;) {
    const match = TOKEN.exec(text);
    if (match === null) return;
    const [, bracket, quoted, word] = match;
    if (quoted !== undefined && expectsKey) {
      sink.key(JSON.parse(quoted) as string);
      expectsKey = false;
      continue;
    }
    if (quoted !== undefined) sink.scalar(quoted, "text");
    else if (word !== undefined) sink.scalar(word, /^[-\d]/.test(word) ? "number" : "word");
    else moveIn(bracket ?? "", inObject, sink);
    expectsKey = inObject.at(-1) ?? false;
  }
}

function moveIn(bracket: string, inObject: boolean[], sink: JsonSink): void {
  if (bracket === "{") {
    inObject.push(true);
    sink.startObject();
  } else if (bracket === "[") {
    inObject.push(false);
    sink.startArray();
  } else {
    inObject.pop();
    if (bracket === "}") sink.endObject();
    else sink.endArray();
  }
}
