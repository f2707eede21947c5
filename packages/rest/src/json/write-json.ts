/** Writers of compact and indented JSON. Compact output without a filter copies raw parts unchanged. */
import { emptyBytes, jsonKey, putText, shortText, utf8Encode } from "@orrery/stdx";
import { isRaw, rawContent, type Printable } from "./printable.ts";
import type { JsonSink } from "./sink.ts";

/** Compact JSON in UTF-8 as a list of pieces: small parts share buffers, a long raw part is a piece of its own. */
export function writeCompact(value: Printable): Uint8Array[] {
  const out = new Pieces();
  put(out, value);
  return out.finish();
}

/** Size above which a part is not copied into a buffer. */
const MOST_COPIED = 16_384;

const FIRST_BUFFER = 8192;
const LARGEST_BUFFER = 65_536;

class Pieces {
  /** Text that follows everything written so far and is not encoded yet. */
  text = "";
  private readonly pieces: Uint8Array[] = [];
  private buffer = emptyBytes;
  private from = 0;
  private to = 0;

  bytes(content: Uint8Array): void {
    this.writeText();
    if (content.length > MOST_COPIED) this.add(content);
    else {
      this.room(content.length);
      this.buffer.set(content, this.to);
      this.to += content.length;
    }
  }

  finish(): Uint8Array[] {
    if (this.buffer.length === 0 && this.text !== "") return [...this.pieces, shortText(this.text)];
    this.writeText();
    this.cut();
    return this.pieces;
  }

  private writeText(): void {
    const { text } = this;
    if (text === "") return;
    this.text = "";
    const most = 3 * text.length;
    if (most > MOST_COPIED) return this.add(utf8Encode(text));
    this.room(most);
    this.to = putText(text, this.buffer, this.to);
  }

  private add(piece: Uint8Array): void {
    this.cut();
    this.pieces.push(piece);
  }

  private cut(): void {
    if (this.to > this.from) this.pieces.push(this.buffer.subarray(this.from, this.to));
    this.from = this.to;
  }

  private room(bytes: number): void {
    const { length } = this.buffer;
    if (this.to + bytes <= length) return;
    this.cut();
    const next = Math.min(Math.max(FIRST_BUFFER, 2 * length), LARGEST_BUFFER);
    this.buffer = new Uint8Array(Math.max(next, bytes));
    this.from = 0;
    this.to = 0;
  }
}

function put(out: Pieces, part: Printable): void {
  if (part === null) out.text += "null";
  else if (typeof part === "string") out.text += JSON.stringify(part);
  else if (typeof part === "number") out.text += Number.isFinite(part) ? String(part) : "null";
  else if (typeof part !== "object") out.text += String(part);
  else if (Array.isArray(part)) putArray(out, part as readonly Printable[]);
  else if (isRaw(part)) putRaw(out, rawContent(part));
  else putObject(out, part as { readonly [key: string]: Printable | undefined });
}

function putArray(out: Pieces, items: readonly Printable[]): void {
  out.text += "[";
  for (let i = 0; i < items.length; i += 1) {
    if (i > 0) out.text += ",";
    put(out, items[i] ?? null);
  }
  out.text += "]";
}

function putObject(out: Pieces, object: { readonly [key: string]: Printable | undefined }): void {
  let separator = "{";
  for (const key of Object.keys(object)) {
    const item = object[key]; // oxlint-disable-line orrery/client-keys -- one of its own keys, in the printer of every answer
    if (item === undefined) continue;
    out.text += separator + jsonKey(key);
    separator = ",";
    put(out, item);
  }
  out.text += separator === "{" ? "{}" : "}";
}

function putRaw(out: Pieces, content: string | Uint8Array): void {
  if (typeof content === "string") {
    out.text += content;
    return;
  }
  out.bytes(content);
}

/** A sink that collects its output as one string. */
export interface TextSink extends JsonSink {
  text(): string;
}

/** A sink for JSON without white space. */
export function compactSink(): TextSink {
  let out = "";
  /** Whether a comma precedes the next key or item. */
  let isComma = false;
  let afterKey = false;
  const before = (): void => {
    if (isComma && !afterKey) out += ",";
    afterKey = false;
  };
  const open = (bracket: string): void => {
    before();
    out += bracket;
    isComma = false;
  };
  const close = (bracket: string): void => {
    out += bracket;
    isComma = true;
  };
  return {
    startObject: () => open("{"),
    endObject: () => close("}"),
    startArray: () => open("["),
    endArray: () => close("]"),
    key: (name) => {
      before();
      out += jsonKey(name);
      afterKey = true;
    },
    scalar: (literal) => {
      before();
      out += literal;
      isComma = true;
    },
    text: () => out,
  };
}

/**
 * Output of Jackson's default pretty printer: indentation of two, ` : `, `[ ]` and `{ }` for empty containers, one
 * line per scalar of an array.
 */
export function prettySink(): TextSink {
  let out = "";
  let depth = 0;
  let isEmpty = true;
  let afterKey = false;
  const indent = (): string => `\n${"  ".repeat(depth)}`;
  const before = (): void => {
    if (!afterKey && depth > 0) out += `${isEmpty ? "" : ","}${indent()}`;
    afterKey = false;
    isEmpty = false;
  };
  const open = (bracket: string): void => {
    before();
    out += bracket;
    depth += 1;
    isEmpty = true;
  };
  const close = (bracket: string): void => {
    depth -= 1;
    out += isEmpty ? ` ${bracket}` : `${indent()}${bracket}`;
    isEmpty = false;
  };
  return {
    startObject: () => open("{"),
    endObject: () => close("}"),
    startArray: () => open("["),
    endArray: () => close("]"),
    key: (name) => {
      before();
      out += `${JSON.stringify(name)} : `;
      afterKey = true;
    },
    scalar: (literal) => {
      before();
      out += literal;
    },
    text: () => out,
  };
}
