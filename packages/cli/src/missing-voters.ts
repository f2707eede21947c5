/**
 * Check before a restart: whether a majority of the voting nodes is among the nodes to be started. Without one the cluster
 * cannot elect a cluster manager. The voters are read from the stored logs of all nodes of the data folder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeStored, type StoredPart } from "@orrery/cluster-manager";
import { openStoreRepair } from "@orrery/storage";
import { numberedFolders } from "./cluster-folder.ts";
import { sentenceOf } from "./usage.ts";

/** Voting nodes of a data folder, as a start of some of its nodes sees them. */
export interface Voters {
  readonly all: number;
  /** Names of those that would not run. */
  readonly missing: readonly string[];
}

/**
 * Voters of the stored cluster; `undefined` if no node of the folder knows them, or if a store cannot be opened, which its
 * node reports when it starts.
 */
export function storedVoters(path: string, started: number): Voters | undefined {
  try {
    return votersAmong(path, started);
  } catch (error) {
    if (sentenceOf(error) === undefined) throw error;
    return undefined;
  }
}

function votersAmong(path: string, started: number): Voters | undefined {
  const parts = numberedFolders(path).flatMap((number) => {
    const part = partOf(join(path, `node-${number}`, "node.sqlite"));
    return part === undefined ? [] : [{ number, part }];
  });
  const [latest] = parts.toSorted((a, b) => b.part.committedIndex - a.part.committedIndex);
  if (latest === undefined || latest.part.voters.length === 0) return undefined;
  const { voters } = latest.part;
  const owners = parts.filter(({ part }) => voters.includes(part.raftId));
  const known = new Set(owners.map(({ part }) => part.raftId));
  const missing = [
    ...owners.flatMap(({ number }) => (number <= started ? [] : [`node-${number}`])),
    ...voters.flatMap((voter) =>
      known.has(voter) ? [] : [`a node without a folder (Raft member ${voter})`],
    ),
  ];
  return { all: voters.length, missing };
}

function partOf(file: string): StoredPart | undefined {
  if (!existsSync(file)) return undefined;
  const store = openStoreRepair(file);
  try {
    return describeStored(store.left);
  } finally {
    store.close();
  }
}

/** Sentence about missing voters, if the others are no majority. */
export function quorumProblem({ all, missing }: Voters): string | undefined {
  if ((all - missing.length) * 2 > all) return undefined;
  const which = `${missing.length} voting ${missing.length === 1 ? "node" : "nodes"} of ${all}`;
  const verb = missing.length === 1 ? "is" : "are";
  return `${which} ${verb} missing: ${missing.join(", ")}. A cluster manager is elected by more than half of the voting nodes: start all nodes of the folder by leaving out [--nodes], or wait for the missing ones with [--wait]`;
}
