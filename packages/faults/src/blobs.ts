/**
 * BlobStores port with faults: rules make a repository slow, full, missing, or fail with an I/O
 * error.
 */
import {
  blobError,
  delay,
  isAtLocation,
  type BlobErrorKind,
  type BlobStore,
  type BlobStores,
  type Clock,
  type Trace,
} from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens } from "./match.ts";

export interface BlobFaultsOptions {
  readonly state: FaultState;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives `blob-failed` for each operation that a rule fails. */
  readonly trace?: Trace | undefined;
}

type Operation = "list" | "read" | "write" | "remove";

interface RepositoryRule {
  readonly id: string;
  readonly location: string;
  readonly path: string;
}

export function withBlobFaults(
  { types, open }: BlobStores,
  { state, clock, random, trace }: BlobFaultsOptions,
): BlobStores {
  /** First rule that matches this path; its hit is counted. */
  const matchingRule = <Rule extends RepositoryRule>(
    rules: readonly Rule[],
    path: string,
    perMille: (rule: Rule) => number = () => 1000,
  ): Rule | undefined => {
    const rule = rules.find(
      (one) =>
        isAtLocation(path, one.location) &&
        path.includes(one.path) &&
        happens(perMille(one), random),
    );
    if (rule !== undefined) state.tookEffect(rule.id);
    return rule;
  };

  const waitForDelay = async (path: string): Promise<void> => {
    const slow = matchingRule(state.of("repository-slow"), path);
    if (slow !== undefined) await delay(clock, slow.delayMs);
  };

  /**
   * Error that the rules raise for this operation; `undefined` if they raise none. Listings of a
   * missing repository are empty and do not fail.
   */
  const errorKindOf = (operation: Operation, path: string): BlobErrorKind | undefined => {
    const changes = operation === "write" || operation === "remove";
    if (operation !== "list" && matchingRule(state.of("repository-missing"), path))
      return changes ? "io" : "missing";
    if (operation === "write" && matchingRule(state.of("repository-full"), path)) return "full";
    const failing = matchingRule(state.of("repository-fails"), path, ({ perMille }) => perMille);
    return failing && "io";
  };

  const perform = async <T>(
    operation: Operation,
    path: string,
    act: () => Promise<T>,
  ): Promise<T> => {
    if (state.isCalm) return act();
    await waitForDelay(path);
    const kind = errorKindOf(operation, path);
    if (kind === undefined) return act();
    const failure = blobError(kind, path);
    trace?.({ kind: "blob-failed", path, reason: failure.message });
    throw failure;
  };

  const around = (store: BlobStore, location: string): BlobStore => {
    const root = location.replace(/^file:(\/\/)?/, "").replace(/(?<!\/)\/+$/, "");
    const at = (path: string): string => (path === "" ? root : `${root}/${path}`);
    const listing = <T>(folder: string, act: () => Promise<readonly T[]>) =>
      perform("list", at(folder), async () =>
        matchingRule(state.of("repository-missing"), at(folder)) === undefined ? act() : [],
      );
    return {
      list: (folder) => listing(folder, () => store.list(folder)),
      folders: (folder) => listing(folder, () => store.folders(folder)),
      read: (path, range) => perform("read", at(path), () => store.read(path, range)),
      write: (path, bytes, how) => perform("write", at(path), () => store.write(path, bytes, how)),
      remove: (paths) => perform("remove", at(paths[0] ?? ""), () => store.remove(paths)),
      removeFolder: (folder) => perform("remove", at(folder), () => store.removeFolder(folder)),
    };
  };

  return { types, open: (address) => around(open(address), address.location) };
}
