/** A release number as twelve bytes, major, minor and patch, so that byte order is the order of releases; and spans of releases. */
import type { PartBuffer, SectionWriter, SegmentPart } from "@orrery/shard-worker";
import { compareBytes, illegalArgument } from "@orrery/stdx";

const RELEASE_BYTES = 12;

/** Oldest and newest; empty where there is no release. */
export type Span = readonly Uint8Array[];

export function spanOf(releases: Span): Span {
  const sorted = releases.toSorted(compareBytes);
  return [...sorted.slice(0, 1), ...sorted.slice(-1)];
}

/** Throws for what is no `major.minor.patch`. */
export function encodeRelease(release: string): Uint8Array {
  const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(release)?.slice(1);
  if (parts === undefined) throw illegalArgument(`[${release}] is no release number`);
  return bytesOf(parts.map(Number));
}

export function decodeRelease(term: Uint8Array): string {
  const view = new DataView(term.buffer, term.byteOffset, RELEASE_BYTES);
  return [0, 4, 8].map((at) => view.getUint32(at)).join(".");
}

/** The first release that is not compatible any more: the next major one. */
export function nextMajor(term: Uint8Array): Uint8Array {
  return bytesOf([new DataView(term.buffer, term.byteOffset).getUint32(0) + 1, 0, 0]);
}

function bytesOf(parts: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(RELEASE_BYTES));
  parts.forEach((part, i) => view.setUint32(i * 4, part));
  return new Uint8Array(view.buffer);
}

/** Whether there is a release, and two of them. */
const ROW_BYTES = 1 + 2 * RELEASE_BYTES;

type SpanBuffer = PartBuffer & { readonly spans: Span[] };
type Entry = { readonly spans: number };

/** The oldest and the newest release of each document: a part of segments, read without a dictionary. */
export const spanPart: SegmentPart<SpanBuffer, Entry, (doc: number) => Span> = {
  kind: "release-span",
  buffer: () => ({
    spans: [],
    get ramBytes() {
      return this.spans.length * 2 * RELEASE_BYTES;
    },
    begin() {
      this.spans.push([]);
    },
    add(value) {
      if (value instanceof Uint8Array)
        this.spans.push(spanOf([...(this.spans.pop() ?? []), value]));
    },
  }),
  write: (file, { spans }, { docs, maxDoc }) =>
    layOut(file, maxDoc, new Map([...docs].map((doc, i) => [doc, spans[i] ?? []]))),
  *merge(file, { sources, maxDoc }) {
    const rows = new Map<number, Span>();
    for (const { part, docMap } of sources) {
      docMap.forEach((target, doc) => rows.set(target, part?.(doc) ?? []));
      yield undefined;
    }
    return layOut(file, maxDoc, rows);
  },
  open:
    (file, { spans }) =>
    (doc) => {
      const row = file.bytes(spans).subarray(doc * ROW_BYTES, (doc + 1) * ROW_BYTES);
      return row[0] === 0 ? [] : [row.slice(1, 1 + RELEASE_BYTES), row.slice(1 + RELEASE_BYTES)];
    },
};

/** Documents below zero are left out. */
function layOut(file: SectionWriter, maxDoc: number, rows: ReadonlyMap<number, Span>): Entry {
  const all = new Uint8Array(maxDoc * ROW_BYTES);
  for (const [doc, [oldest, newest]] of rows) {
    if (doc >= 0 && oldest !== undefined && newest !== undefined)
      all.set([1, ...oldest, ...newest], doc * ROW_BYTES);
  }
  return { spans: file.add(all) };
}
