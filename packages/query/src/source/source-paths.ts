/** Decides which paths a source filter selects, and which objects may contain selected paths. */
import { isGlob, matchesGlob } from "@orrery/stdx";
import type { Budget } from "../work/budget.ts";

/** A set of names and of patterns with `*`. */
export class PathPatterns {
  private readonly exact: ReadonlySet<string>;
  private readonly sorted: readonly string[];
  private readonly globs: readonly string[];
  private readonly globChars: number;

  constructor(patterns: readonly string[]) {
    this.globs = patterns.filter(isGlob);
    this.globChars = this.globs.reduce((sum, { length }) => sum + length, 0);
    this.exact = new Set(patterns.filter((pattern) => !isGlob(pattern)));
    this.sorted = [...this.exact].toSorted((a, b) => (a < b ? -1 : 1));
  }

  matches(path: string): boolean {
    return this.exact.has(path) || this.globs.some((glob) => matchesGlob(glob, path));
  }

  /** True if a path that starts with `start` may match. */
  mayMatchFrom(start: string): boolean {
    return this.hasExactFrom(start) || this.globs.some((glob) => isOpen(glob, start));
  }

  /**
   * Returns the budget steps of one lookup. In the worst case each pattern is compared at every
   * character of the path.
   */
  stepsFor({ length }: string): number {
    const compared = this.globs.length * 8 + Math.floor((this.globChars * length) / 32);
    return 1 + Math.floor(length / 8) + compared;
  }

  /** Finds a name that starts with `start`, by binary search. */
  private hasExactFrom(start: string): boolean {
    let from = 0;
    let to = this.sorted.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.sorted[middle] as string) < start) from = middle + 1;
      else to = middle;
    }
    return this.sorted[from]?.startsWith(start) === true;
  }
}

/** True if the pattern may match a path that starts with `start`. */
function isOpen(glob: string, start: string): boolean {
  const head = glob.slice(0, glob.indexOf("*"));
  return head.length < start.length ? start.startsWith(head) : head.startsWith(start);
}

/** The decision on one path. */
interface SourcePath {
  readonly isExcluded: boolean;
  readonly isIncluded: boolean;
  readonly hasExcludesInside: boolean;
  readonly hasIncludesInside: boolean;
}

/** The limit of cached paths, and of the length of each. */
const MOST_KNOWN_PATHS = 10_000;
const MOST_KNOWN_CHARS = 256;

/** The decisions of a filter, cached by path. */
export class SourcePaths {
  private readonly includes: PathPatterns;
  private readonly excludes: PathPatterns;
  private readonly budget: Budget;
  private readonly known = new Map<string, SourcePath>();

  constructor(
    { includes, excludes }: { readonly includes: PathPatterns; readonly excludes: PathPatterns },
    budget: Budget,
  ) {
    this.includes = includes;
    this.excludes = excludes;
    this.budget = budget;
  }

  of(path: string): SourcePath {
    const { includes, excludes, known } = this;
    const before = known.get(path);
    if (before !== undefined) return before;
    this.budget.step(includes.stepsFor(path) + excludes.stepsFor(path));
    const inside = `${path}.`;
    const found = {
      isExcluded: excludes.matches(path),
      isIncluded: includes.matches(path),
      hasExcludesInside: excludes.mayMatchFrom(inside),
      hasIncludesInside: includes.mayMatchFrom(inside),
    };
    if (path.length > MOST_KNOWN_CHARS) return found;
    if (known.size >= MOST_KNOWN_PATHS) known.clear();
    known.set(path, found);
    return found;
  }
}
