/**
 * `filter_path`: keeps what its patterns name, drops what patterns after a `-` name. Source: `FilterPathBasedFilter`.
 *
 * `*` stands for part of a name or one level, `**` for one level or more; a dot is escaped as `\.`. A container that is only
 * on the way to a match appears when something inside it does.
 */
import { isGlob, matchesGlob } from "@orrery/stdx";
import type { JsonSink, ScalarKind } from "./sink.ts";

/** A segment of a pattern and what comes after it; `**` stays while it matches more levels. */
interface Segment {
  readonly text: string;
  readonly isGlob: boolean;
  readonly next: Segment | undefined;
}

/** Segments of all patterns that the next name may match, each once: never more than the patterns have. */
interface Open {
  readonly segments: ReadonlySet<Segment>;
  /** What names led to; they come again in every hit. */
  readonly known: Map<string, Filter>;
}

/** `all` passes everything below, `none` nothing. */
type Filter = "all" | "none" | Open;

const KNOWN_MAX = 256;

export interface PathFilter {
  readonly includes: readonly Segment[];
  readonly excludes: readonly Segment[];
}

export function parseFilterPath(text: string): PathFilter {
  const patterns = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return {
    includes: patterns.filter((pattern) => !pattern.startsWith("-")).map(chain),
    excludes: patterns
      .filter((pattern) => pattern.startsWith("-"))
      .map((pattern) => chain(pattern.slice(1))),
  };
}

/** The first segment of a pattern; one without any is a name no member has. */
function chain(pattern: string): Segment {
  const texts = [...pattern.matchAll(/(?:[^.\\]|\\.)+/g)].map(([text]) =>
    text.replaceAll("\\.", "."),
  );
  const last = texts.pop() ?? "";
  let first: Segment = { text: last, isGlob: isGlob(last), next: undefined };
  for (const text of texts.toReversed()) first = { text, isGlob: isGlob(text), next: first };
  return first;
}

/** Exclusions first, then inclusions, as the product nests its generators. */
export function filtered(sink: JsonSink, filter: PathFilter): JsonSink {
  const inner = filter.includes.length === 0 ? sink : filterSink(sink, filter.includes, true);
  return filter.excludes.length === 0 ? inner : filterSink(inner, filter.excludes, false);
}

interface Frame {
  readonly kind: "object" | "array";
  readonly filter: Filter;
  /** Written already; a container on the way to a match is written late. */
  isOpen: boolean;
  /** Key that led here, when it is not written yet. */
  readonly key: string | undefined;
}

function filterSink(sink: JsonSink, patterns: readonly Segment[], isInclusive: boolean): JsonSink {
  const frames: Frame[] = [];
  const root = open(new Set(patterns));
  let key: string | undefined;
  let keyFilter: Filter = root;

  const current = (): Filter => {
    const frame = frames.at(-1);
    if (frame === undefined) return root;
    return frame.kind === "array" ? frame.filter : keyFilter;
  };
  const openAll = (): void => {
    for (const frame of frames) {
      if (frame.isOpen) continue;
      frame.isOpen = true;
      if (frame.key !== undefined) sink.key(frame.key);
      if (frame.kind === "object") sink.startObject();
      else sink.startArray();
    }
  };
  const start = (kind: "object" | "array"): void => {
    frames.push({ kind, filter: current(), isOpen: false, key });
    key = undefined;
    if (frames.at(-1)?.filter === "all") openAll();
  };
  const end = (): void => {
    const frame = frames.pop();
    if (frame?.isOpen !== true) return;
    if (frame.kind === "object") sink.endObject();
    else sink.endArray();
  };
  return {
    skip: () => {
      if (current() !== "none") return false;
      key = undefined;
      return true;
    },
    startObject: () => start("object"),
    startArray: () => start("array"),
    endObject: end,
    endArray: end,
    key: (name) => {
      key = name;
      keyFilter = below(frames.at(-1)?.filter ?? "none", name, isInclusive);
    },
    scalar: (literal: string, kind: ScalarKind) => {
      const filter = current();
      const isKept = filter === "all" || (filter !== "none" && !isInclusive);
      if (isKept) {
        openAll();
        if (key !== undefined) sink.key(key);
        sink.scalar(literal, kind);
      }
      key = undefined;
    },
  };
}

function open(segments: ReadonlySet<Segment>): Open {
  return { segments, known: new Map() };
}

function below(filter: Filter, name: string, isInclusive: boolean): Filter {
  if (typeof filter === "string") return filter;
  const known = filter.known.get(name);
  if (known !== undefined) return known;
  const found = step(filter.segments, name, isInclusive);
  if (filter.known.size < KNOWN_MAX) filter.known.set(name, found);
  return found;
}

function step(segments: ReadonlySet<Segment>, name: string, isInclusive: boolean): Filter {
  const next = new Set<Segment>();
  for (const segment of segments) {
    if (segment.isGlob ? matchesGlob(segment.text, name) : segment.text === name) {
      if (segment.next === undefined) return isInclusive ? "all" : "none";
      next.add(segment.next);
    }
    if (segment.text === "**") next.add(segment);
  }
  if (next.size > 0) return open(next);
  return isInclusive ? "none" : "all";
}
