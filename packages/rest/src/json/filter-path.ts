/**
 * Response filtering by `filter_path`: keeps values that a pattern matches, drops values that a pattern after `-`
 * matches. Source: `FilterPathBasedFilter`.
 *
 * `*` matches part of a name or one level, `**` one level or more; a dot is escaped as `\\.`. A container on the path
 * to a match is printed only when something inside it matches. Filters form an automaton over names: a state is a set
 * of pattern segments, never larger than all patterns together.
 */
import { isGlob, matchesGlob } from "@orrery/stdx";
import type { JsonSink, ScalarKind } from "./sink.ts";

/** A segment of a pattern and its successor. A `**` segment stays in the state while it matches further levels. */
interface Segment {
  readonly text: string;
  readonly isGlob: boolean;
  readonly next: Segment | undefined;
}

/** A state of the automaton: the segments that the next name may match. */
interface Open {
  readonly segments: ReadonlySet<Segment>;
  /** Transitions by name, cached, because each hit repeats the same names. */
  readonly known: Map<string, Filter>;
}

/** The filter below a value: `all` keeps everything, `none` nothing. */
type Filter = "all" | "none" | Open;

const KNOWN_MAX = 256;

/** First segments of the patterns to keep and of the patterns to drop. */
export interface PathFilter {
  readonly includes: readonly Segment[];
  readonly excludes: readonly Segment[];
}

/** Parses the comma-separated patterns of `filter_path`. */
export function parseFilterPath(text: string): PathFilter {
  const patterns = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return {
    includes: patterns.filter((pattern) => !pattern.startsWith("-")).map(chain),
    excludes: patterns
      .filter((pattern) => pattern.startsWith("-"))
      .map((pattern) => chain(pattern.slice(1))),
  };
}

/** The first segment of a pattern. A pattern without segments matches no member. */
function chain(pattern: string): Segment {
  const texts = [...pattern.matchAll(/(?:[^.\\]|\\.)+/g)].map(([text]) =>
    text.replaceAll("\\.", "."),
  );
  const last = texts.pop() ?? "";
  let first: Segment = { text: last, isGlob: isGlob(last), next: undefined };
  for (const text of texts.toReversed()) first = { text, isGlob: isGlob(text), next: first };
  return first;
}

/** A sink that filters: exclusions apply first, then inclusions, in the order of the product's nested generators. */
export function filtered(sink: JsonSink, filter: PathFilter): JsonSink {
  const inner = filter.includes.length === 0 ? sink : filterSink(sink, filter.includes, true);
  return filter.excludes.length === 0 ? inner : filterSink(inner, filter.excludes, false);
}

interface Frame {
  readonly kind: "object" | "array";
  readonly filter: Filter;
  /**
   * Whether the start of the container has been written. A container on the path to a match is written late, at its
   * first match.
   */
  isOpen: boolean;
  /** Key of the container, as long as it is not written. */
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
