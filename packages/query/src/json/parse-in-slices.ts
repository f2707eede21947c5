/**
 * Parses JSON in steps of some ten kilobytes, with the results of `parseJson`, so that other work
 * is not blocked by large bodies.
 *
 * One pass over the bytes keeps a stack of open containers. Complete members are parsed together
 * once they are long enough, and a long string is decoded in pieces. Errors come from the exact
 * parser, which gets a short text with the same containers.
 *
 * INV: a container has a value only if all containers around it have one. The value contains all
 * members before `from`.
 */
import {
  AssertionError,
  concatBytes,
  OperationError,
  setKey,
  utf8Decode,
  utf8Encode,
  type Json,
} from "@orrery/stdx";
import { behindBlanks, endOfValue, isOpening } from "./find-value.ts";
import { MAX_NESTING, readJson } from "./exact-json.ts";
import { parseJson } from "./parse-json.ts";

export interface SliceSizes {
  /**
   * The length from which members are parsed together, and from which a string is decoded on its
   * own.
   */
  readonly cutBytes: number;
  /** The bytes of a long string decoded at a time. */
  readonly pieceBytes: number;
}

const SIZES: SliceSizes = { cutBytes: 64 * 1024, pieceBytes: 512 * 1024 };

/** The bytes after the error that the exact parser gets to see. */
const BEYOND_BYTES = 256;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/** A member that stands for all those parsed before. */
const READ_MEMBER = String.raw`"\u0000read before\u0000":[]`;

/** A range of bytes. */
interface Stretch {
  readonly from: number;
  readonly end: number;
}

/** An open container. */
interface Frame {
  isObject: boolean;
  /** The offset of its bracket. */
  start: number;
  /** The offset of the first member that is not in `value` yet. */
  from: number;
  /** The offsets of the last comma and the last colon directly in it. */
  comma: number;
  colon: number;
  value: Record<string, Json> | Json[] | undefined;
  /**
   * True if the member before `from` was added on its own, so that a comma or the end must follow.
   */
  isBehindMember: boolean;
}

/** Why a scan stopped. `text`: at the end of a long string that began at `textStart`. */
type Stop = "pause" | "cut" | "close" | "text" | "wrong" | "root-end" | "end";

/**
 * Parses like `parseJson`, and yields when `isTurnOver` returns true.
 * @throws OperationError 400
 */
export function parseJsonSteps(
  bytes: Uint8Array,
  isTurnOver: () => boolean,
  sizes: SliceSizes = SIZES,
): Generator<undefined, Json> {
  return new SlicedReader(bytes, isTurnOver, sizes).read();
}

class SlicedReader {
  private at = 0;
  private depth = 0;
  /** The start of the string that `at` is in; -1 outside strings. */
  private textStart = -1;
  /** The number of open containers with a value, counted from the outside. */
  private valued = 0;
  /** Long runs of blanks between values, in order. They are not parsed. */
  private readonly gaps: Stretch[] = [];
  private readonly frames: Frame[] = [];
  private readonly bytes: Uint8Array;
  private readonly isTurnOver: () => boolean;
  private readonly sizes: SliceSizes;

  constructor(bytes: Uint8Array, isTurnOver: () => boolean, sizes: SliceSizes) {
    this.bytes = bytes;
    this.isTurnOver = isTurnOver;
    this.sizes = sizes;
  }

  *read(): Generator<undefined, Json> {
    const { bytes } = this;
    const start = yield* this.behindBlanks(0);
    if (!isOpening(bytes[start])) {
      const end = endOfValue(bytes, start);
      return yield* this.finish(rootOf(bytes, { from: start, end }, []), end);
    }
    this.push(start);
    this.at = start + 1;
    for (;;) {
      const from = this.at;
      const stop = this.scan();
      if (stop === "root-end") {
        const root = { from: start, end: this.at };
        return yield* this.finish(rootOf(bytes, root, this.gaps), this.at);
      }
      if (stop === "cut") yield* this.cut();
      else if (stop === "close") yield* this.close();
      else if (stop === "text") yield* this.addText();
      else if (stop === "pause") this.noteGap(from);
      else yield* this.fail();
      if (this.depth === 0) return yield* this.finish(this.frame(0).value ?? [], this.at);
      if (this.isTurnOver()) yield;
    }
  }

  private *behindBlanks(from: number): Generator<undefined, number> {
    const { bytes } = this;
    let at = from;
    for (;;) {
      const to = Math.min(bytes.length, at + this.sizes.cutBytes);
      at += behindBlanks(bytes.subarray(at, to), 0);
      if (at < to || at === bytes.length) return at;
      if (this.isTurnOver()) yield;
    }
  }

  /** Records a run of blanks, except one blank that separates its neighbours. */
  private noteGap(from: number): void {
    if (this.textStart < 0 && this.isBlank(from, this.at))
      this.gaps.push({ from: from + 1, end: this.at });
  }

  /** Moves to the next byte that needs attention. Every byte passes here, so calls are avoided. */
  private scan(): Stop {
    const { bytes } = this;
    const { cutBytes } = this.sizes;
    const pauseAt = Math.min(bytes.length, this.at + cutBytes);
    let frame = this.top();
    let i = this.at;
    while (i < pauseAt) {
      const byte = bytes[i] as number;
      if (byte === QUOTE || this.textStart >= 0) {
        const start = this.textStart >= 0 ? this.textStart : i;
        if (start === i) i += 1;
        while (i < pauseAt && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
        this.textStart = start;
        if (i >= pauseAt) break;
        const isValue = !frame.isObject || frame.colon > Math.max(frame.comma, frame.from - 1);
        if (isValue && i - start >= cutBytes) return this.stop(i, "text");
        this.textStart = -1;
      } else if (byte === COMMA) {
        if (frame.isBehindMember || i - frame.from >= cutBytes) return this.stop(i, "cut");
        frame.comma = i;
      } else if (byte === COLON) frame.colon = i;
      else if (isOpening(byte)) {
        if (this.depth === MAX_NESTING) return this.stop(i, "wrong");
        frame = this.push(i);
      } else if ((byte | 32) === CLOSE) {
        if (frame.isObject === (byte === CLOSE_LIST)) return this.stop(i, "wrong");
        if (frame.value !== undefined) return this.stop(i, "close");
        this.depth -= 1;
        if (this.depth === 0) return this.stop(i + 1, "root-end");
        frame = this.top();
      }
      i += 1;
    }
    return this.stop(i, i < bytes.length ? "pause" : "end");
  }

  private stop(at: number, stop: Stop): Stop {
    this.at = at;
    return stop;
  }

  private top(): Frame {
    return this.frame(this.depth - 1);
  }

  private frame(index: number): Frame {
    return this.frames[index] as Frame;
  }

  /** Opens a container. Frames are reused, because every opening bracket needs one. */
  private push(at: number): Frame {
    const frame = (this.frames[this.depth] ??= { ...unused });
    frame.isObject = this.bytes[at] === OPEN;
    frame.start = at;
    frame.from = at + 1;
    frame.comma = -1;
    frame.colon = -1;
    frame.value = undefined;
    frame.isBehindMember = false;
    this.depth += 1;
    return frame;
  }

  /** Parses the members before a comma. */
  private *cut(): Generator<undefined, void> {
    yield* this.giveValues();
    yield* this.add(this.depth - 1, this.at);
    this.at += 1;
  }

  /** Parses the last members of a container that has a value. */
  private *close(): Generator<undefined, void> {
    const frame = this.top();
    if (frame.isBehindMember && this.isBlank(frame.from, this.at)) frame.from = this.at + 1;
    else yield* this.add(this.depth - 1, this.at);
    this.depth -= 1;
    this.valued -= 1;
    this.at += 1;
    if (this.depth > 0) behind(this.top(), this.at);
  }

  /** Adds the long string that ends at `at`. */
  private *addText(): Generator<undefined, void> {
    const start = this.textStart;
    this.textStart = -1;
    yield* this.giveValues();
    const key = yield* this.keyBefore(this.depth - 1, start);
    this.attach(this.depth - 1, key, yield* this.readText(start, this.at));
    this.at += 1;
    behind(this.top(), this.at);
  }

  /** Gives each open container a value with the members before its open child. */
  private *giveValues(): Generator<undefined, void> {
    while (this.valued < this.depth) {
      const frame = this.frame(this.valued);
      const value = frame.isObject ? {} : [];
      if (this.valued > 0) {
        const key = yield* this.keyBefore(this.valued - 1, frame.start);
        this.attach(this.valued - 1, key, value);
      }
      frame.value = value;
      this.valued += 1;
      if (this.isTurnOver()) yield;
    }
  }

  /** Adds the members before `start` and returns the key of the value there; empty in a list. */
  private *keyBefore(index: number, start: number): Generator<undefined, string> {
    const frame = this.frame(index);
    if (frame.comma >= frame.from) yield* this.add(index, frame.comma);
    if (frame.isBehindMember) this.refuse(index, start);
    if (!frame.isObject) return this.isBlank(frame.from, start) ? "" : this.refuse(index, start);
    const member = this.parsed(index, { from: frame.from, end: start }, "[]");
    const keys = Object.keys(member);
    return keys.length === 1 ? (keys[0] as string) : this.refuse(index, start);
  }

  /** Parses the members from `from` to `end`, which is a comma or the end of the container. */
  private *add(index: number, end: number): Generator<undefined, void> {
    const frame = this.frame(index);
    const isBlank = this.isBlank(frame.from, end);
    if (isBlank !== frame.isBehindMember) this.refuse(index, end);
    if (!isBlank) {
      const members = this.parsed(index, { from: frame.from, end });
      if (Array.isArray(members)) for (const item of members) (frame.value as Json[]).push(item);
      else for (const [key, value] of Object.entries(members)) this.attach(index, key, value, end);
      if (this.isTurnOver()) yield;
    }
    frame.from = end + 1;
    frame.isBehindMember = false;
  }

  /** Adds one member. A duplicate key is an error. */
  private attach(index: number, key: string, value: Json, end: number = this.at): void {
    const container = this.frame(index).value;
    if (Array.isArray(container)) container.push(value);
    else if (container !== undefined) {
      if (Object.hasOwn(container, key)) this.refuse(index, end);
      setKey(container, key, value);
    }
  }

  /** Parses a range of members as one object or list, closed by `ending`. */
  private parsed(
    index: number,
    { from, end }: Stretch,
    ending = "",
  ): Readonly<Record<string, Json>> | readonly Json[] {
    const [open, close] = this.frame(index).isObject ? ["{", "}"] : ["[", "]"];
    try {
      const text = wrapped(open, without(this.bytes, { from, end }, this.gaps), ending + close);
      return parseJson(text) as Record<string, Json> | Json[];
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return this.refuse(index, end);
    }
  }

  /** Decodes a long string piece by piece. */
  private *readText(start: number, end: number): Generator<undefined, string> {
    let text = "";
    let from = start + 1;
    while (from < end) {
      const to = this.pieceEnd(from, end);
      const piece = this.bytes.subarray(from, to);
      try {
        text += parseJson(wrapped('"', piece, '"')) as string;
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        this.refusePiece(from, to, end);
      }
      from = to;
      if (this.isTurnOver()) yield;
    }
    return text;
  }

  /**
   * Reports the error of a piece together with the bytes after it, since the end may have cut an
   * invalid escape. A bad escape is reported at the end of the string.
   */
  private refusePiece(from: number, to: number, end: number): never {
    const piece = this.bytes.subarray(
      from,
      behindEscapes(this.bytes, { from: to, to: to + 12, end }),
    );
    const text = wrapped('"', piece, '"');
    try {
      return refuseText(text, from - 1);
    } catch (error) {
      const isEscape =
        error instanceof OperationError && error.problem.reason?.startsWith("Unrecog");
      if (!isEscape) throw error;
      return refuseText(text, end - piece.length - 1);
    }
  }

  /** Returns the end of a piece, which splits neither a character nor an escape. */
  private pieceEnd(from: number, end: number): number {
    const { bytes } = this;
    const to = Math.min(end, from + this.sizes.pieceBytes);
    const hasEscapes = bytes.subarray(from, to).includes(BACKSLASH);
    return hasEscapes ? behindEscapes(bytes, { from, to, end }) : behindCharacter(bytes, to, end);
  }

  private isBlank(from: number, end: number): boolean {
    return behindBlanks(this.bytes.subarray(from, end), 0) === end - from;
  }

  /** Checks that only blanks follow the root. */
  private *finish(root: Json, at: number): Generator<undefined, Json> {
    const { bytes } = this;
    const end = yield* this.behindBlanks(at);
    if (end < bytes.length)
      refuseText(wrapped("[]", bytes.subarray(end, beyond(bytes, end)), ""), end - 2);
    return root;
  }

  private *fail(): Generator<undefined, never> {
    yield* this.giveValues();
    return this.refuse(this.depth - 1, this.at);
  }

  /**
   * Reports an error at or before `end` in a container. All containers around it must have values.
   */
  private refuse(index: number, end: number): never {
    const frame = this.frame(index);
    const open = this.frames.slice(0, index).map(({ isObject }) => (isObject ? '{"":' : "["));
    const hasMembers = frame.value !== undefined && Object.keys(frame.value).length > 0;
    const member = frame.isObject ? READ_MEMBER : "[]";
    const read = frame.isBehindMember ? member : hasMembers ? `${member},` : "";
    const before = `${open.join("")}${frame.isObject ? "{" : "["}${read}`;
    const { value } = frame;
    const isTaken = (key: string): boolean => value !== undefined && Object.hasOwn(value, key);
    const text = wrapped(before, this.bytes.subarray(frame.from, beyond(this.bytes, end)), "");
    return refuseText(text, frame.from - before.length, { depth: index + 1, isTaken });
  }
}

/** Parses a short root at once. */
function rootOf(bytes: Uint8Array, root: Stretch, gaps: readonly Stretch[]): Json {
  try {
    return parseJson(without(bytes, root, gaps));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return refuseText(bytes.subarray(root.from, beyond(bytes, root.end)), root.from);
  }
}

/** Returns a range of bytes without the gaps. */
function without(bytes: Uint8Array, { from, end }: Stretch, gaps: readonly Stretch[]): Uint8Array {
  const inner = gaps.filter((gap) => gap.from >= from && gap.end <= end);
  if (inner.length === 0) return bytes.subarray(from, end);
  const starts = [from, ...inner.map((gap) => gap.end)];
  const ends = [...inner.map((gap) => gap.from), end];
  const parts = starts.map((start, i) => bytes.subarray(start, ends[i]));
  return concatBytes(parts);
}

/** The initial state of frames. */
const unused: Frame = {
  isObject: false,
  start: 0,
  from: 0,
  comma: -1,
  colon: -1,
  value: undefined,
  isBehindMember: false,
};

function behind(frame: Frame, at: number): void {
  frame.isBehindMember = true;
  frame.from = at;
}

/** Returns the first offset from `to` on that is inside no escape and no character. */
function behindEscapes(
  bytes: Uint8Array,
  { from, to, end }: { readonly from: number; readonly to: number; readonly end: number },
): number {
  let at = from;
  while (at < to && at < end) at = bytes[at] === BACKSLASH ? behindEscape(bytes, at) : at + 1;
  return behindCharacter(bytes, at, end);
}

function beyond(bytes: Uint8Array, end: number): number {
  return behindCharacter(bytes, end + BEYOND_BYTES, bytes.length);
}

/** Returns the end of the character that `at` may be inside. */
function behindCharacter(bytes: Uint8Array, at: number, end: number): number {
  let to = Math.min(at, end);
  for (let step = 0; step < 3 && to < end && ((bytes[to] ?? 0) & 0xc0) === 0x80; step += 1) to += 1;
  return to;
}

/**
 * Returns the end of an escape. A surrogate pair counts as one escape; an invalid escape ends early
 * and is rejected anyway.
 */
function behindEscape(bytes: Uint8Array, at: number): number {
  const escape = utf8Decode(bytes.subarray(at, at + 12));
  const whole =
    /^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|^\\u[0-9a-fA-F]{4}/.exec(escape);
  return at + (whole?.[0].length ?? 2);
}

/** Joins bytes with text around them. */
function wrapped(before: string, bytes: Uint8Array, after: string): Uint8Array {
  const text = new Uint8Array(before.length + bytes.length + after.length);
  text.set(utf8Encode(before));
  text.set(bytes, before.length);
  text.set(utf8Encode(after), before.length + bytes.length);
  return text;
}

/** Throws the exact parser's error on this text. */
function refuseText(
  text: Uint8Array,
  shift: number,
  outer: { readonly depth: number; readonly isTaken: (key: string) => boolean } = noOuter,
): never {
  readJson(utf8Decode(text), text, { shift, ...outer });
  throw new AssertionError("the exact reader takes what the sliced one refused");
}

const noOuter = { depth: 0, isTaken: (): boolean => false };
