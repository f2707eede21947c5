/** Rules that apply to the disk of one node, with the number of operations each affected. */
import { DiskError, type DiskRule } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

/**
 * Applied disk rule. A hit is an affected operation; at a crash, a torn file or a lost name change; of a rule that acts
 * once, a flipped bit or a misplaced block.
 */
export interface AppliedDiskRule {
  hits(): number;
  end(): void;
}

/** Rules with a duration; bit rot and misdirected writes act once on files at rest. */
type LastingRule = Exclude<DiskRule, { readonly kind: "bit-rot" | "misdirected-write" }>;

export interface DiskRules {
  add(rule: LastingRule): AppliedDiskRule;
  /** Throws `DiskError` while the file system is read-only. */
  checkWritable(path: string): void;
  isFull(): boolean;
  /** Throws `DiskError` if a rule fails this read. */
  checkRead(path: string): void;
  /** Error of a sync of these files on a full disk or by a `sync-fails` rule; `undefined` without one. */
  syncFailure(paths: readonly string[]): DiskError | undefined;
  /** True if a failing sync of this file marks its pages as clean. */
  losesPages(path: string): boolean;
  /** True if a sync of this file reports success and makes nothing durable. */
  lies(path: string): boolean;
  /** Additional delay of a sync. */
  delayMs(): number;
  /** True if a crash now tears the unsynced contents of this file. */
  tears(path: string): boolean;
  /** True while syncs of new names must not complete, because the next crash loses these names. */
  holdsNames(): boolean;
  /** True if this crash loses the name changes that are not durable; the argument is their number. */
  losesNames(changes: number): boolean;
}

interface Active<Kind extends LastingRule = LastingRule> {
  readonly rule: Kind;
  hits: number;
  /**
   * The crash that the rule was for has happened. A node started afterwards has a correct disk although the rule is
   * still active.
   */
  isOver: boolean;
}

function* activeOf<Kind extends LastingRule["kind"]>(
  active: ReadonlySet<Active>,
  kind: Kind,
): Generator<Active<Extract<LastingRule, { readonly kind: Kind }>>> {
  for (const one of active)
    if (one.rule.kind === kind) yield one as Active<Extract<LastingRule, { readonly kind: Kind }>>;
}

export function createDiskRules(random: Random): DiskRules {
  const active = new Set<Active>();
  const strikes = (kind: "sync-fails" | "pages-lost" | "read-error", path: string): boolean => {
    if (active.size === 0) return false;
    for (const one of activeOf(active, kind)) {
      if (!path.includes(one.rule.path) || random.int(1, 1000) > one.rule.perMille) continue;
      one.hits += 1;
      return true;
    }
    return false;
  };
  const isFull = (): boolean => {
    if (active.size === 0) return false;
    let isHit = false;
    for (const one of activeOf(active, "disk-full")) {
      one.hits += 1;
      isHit = true;
    }
    return isHit;
  };

  const checkWritable = (path: string): void => {
    if (active.size === 0) return;
    for (const one of activeOf(active, "read-only")) {
      one.hits += 1;
      throw new DiskError("read-only", path, `read-only file system, writing [${path}]`);
    }
  };

  return {
    isFull,
    add: (rule) => {
      const own: Active = { rule, hits: 0, isOver: false };
      active.add(own);
      return { hits: () => own.hits, end: () => void active.delete(own) };
    },
    checkWritable,
    losesPages: (path) => strikes("pages-lost", path),
    lies: (path) => {
      for (const one of activeOf(active, "sync-lies")) {
        if (!path.includes(one.rule.path)) continue;
        one.hits += 1;
        return true;
      }
      return false;
    },
    checkRead: (path) => {
      if (strikes("read-error", path))
        throw new DiskError("io", path, `Input/output error, reading [${path}]`);
    },
    syncFailure: (paths) => {
      if (isFull()) return noRoom(paths[0] ?? "");
      const path = paths.find((one) => strikes("sync-fails", one));
      return path === undefined
        ? undefined
        : new DiskError("io", path, `Input/output error, syncing [${path}]`);
    },
    delayMs: () => {
      let delayMs = 0;
      for (const one of activeOf(active, "disk-slow")) {
        one.hits += 1;
        delayMs += one.rule.delayMs;
      }
      return delayMs;
    },
    tears: (path) => {
      let isTorn = false;
      for (const one of activeOf(active, "torn-write")) {
        if (!path.includes(one.rule.path)) continue;
        one.hits += 1;
        isTorn = true;
      }
      return isTorn;
    },
    holdsNames: () => {
      let isHeld = false;
      for (const one of activeOf(active, "lost-name")) {
        if (one.isOver) continue;
        one.hits += 1;
        isHeld = true;
      }
      return isHeld;
    },
    losesNames: (changes) => {
      let isLost = false;
      for (const one of activeOf(active, "lost-name")) {
        if (one.isOver) continue;
        one.hits += changes;
        one.isOver = true;
        isLost = true;
      }
      return isLost;
    },
  };
}

/** Error of a write to a full disk. */
export function noRoom(path: string): DiskError {
  return new DiskError("full", path, `no space left on device, writing [${path}]`);
}
