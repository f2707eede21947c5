/**
 * `filter_path`: keeps what its patterns name, drops what patterns after a `-` name. Source: `FilterPathBasedFilter`.
 *
 * `*` stands for part of a name or one level, `**` for one level or more; a dot is escaped as `\.`. A container that is only
 * on the way to a match appears when something inside it does.
 */
import type { JsonSink, ScalarKind } from "./sink.ts";

/** Segments still to be matched; `**` stays while it matches more levels. */
type Pattern = readonly string[];

/** `all` passes everything below, `none` nothing. */
type Filter = "all" | "none" | readonly Pattern[];

export interface PathFilter {
  readonly includes: readonly Pattern[];
  readonly excludes: readonly Pattern[];
}

export function parseFilterPath(text: string): PathFilter {
  const patterns = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return {
    includes: patterns.filter((pattern) => !pattern.startsWith("-")).map(segments),
    excludes: patterns
      .filter((pattern) => pattern.startsWith("-"))
      .map((pattern) => segments(pattern.slice(1))),
  };
}

function segments(pattern: string): Pattern {
  return [...pattern.matchAll(/(?:[^.\\]|\\.)+/g)].map(([segment]) =>
    segment.replaceAll("\\.", "."),
  );
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

function filterSink(sink: JsonSink, patterns: readonly Pattern[], isInclusive: boolean): JsonSink {
  const frames: Frame[] = [];
  let key: string | undefined;
  let keyFilter: Filter = patterns;

  const current = (): Filter => {
    const frame = frames.at(-1);
    if (frame === undefined) return patterns;
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

function below(filter: Filter, name: string, isInclusive: boolean): Filter {
  if (typeof filter === "string") return filter;
  const next: Pattern[] = [];
  for (const pattern of filter) {
    const [head = "", ...rest] = pattern;
    if (matches(head, name)) {
      if (rest.length === 0) return isInclusive ? "all" : "none";
      next.push(rest);
    }
    if (head === "**") next.push(pattern);
  }
  if (next.length > 0) return next;
  return isInclusive ? "none" : "all";
}

function matches(segment: string, name: string): boolean {
  if (segment === name || segment === "*" || segment === "**") return true;
  if (!segment.includes("*")) return false;
  const parts = segment.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
}
