/**
 * Cluster of processes for a session: `orrery up` on its own ports with a temporary folder; it ends with the session or
 * with this process.
 */
import { appendAll } from "@orrery/stdx";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchRunDelays, type RunDelays } from "./run-delays.ts";
import type { SessionOptions } from "./target.ts";

export interface LiveNode {
  readonly name: string;
  readonly http: string;
  readonly transport: string;
  readonly pid: number;
}

export interface LiveCluster {
  readonly nodes: readonly LiveNode[];
  /** Folder of temporary repositories, the `path.repo` of each node. */
  readonly repositories: string;
  /** Lines of the processes' standard error since the last call. */
  takeErrors(): readonly string[];
  /** Nodes whose process has ended. */
  dead(): readonly string[];
  residentBytes(): number;
  readonly delays: RunDelays;
  stop(): Promise<void>;
}

const bin = join(import.meta.dirname, "../../cli/bin/orrery.mjs");
/** Folder in memory, if the machine has one: syncs of a disk would dominate the time of a session. */
const MEMORY_FOLDER = "/dev/shm";
const START_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 20_000;

export async function startLiveCluster(
  { world, nodes, port }: SessionOptions,
  settings: Readonly<Record<string, string>> = {},
): Promise<LiveCluster> {
  const folder = mkdtempSync(
    join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), "orrery-fuzz-"),
  );
  const repositories = join(folder, "repositories");
  const given = Object.entries({ "path.repo": repositories, ...settings });
  const child = spawn(
    process.execPath,
    [
      ...[bin, "up", "--json", "--nodes", String(nodes), "--transport", world],
      ...["--http-port", String(port), "--data", join(folder, "data")],
      ...["--zones", "zone-1,zone-2,zone-3"],
      ...given.flatMap(([name, value]) => ["-E", `${name}=${value}`]),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const errors = linesOf(child);
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let delays: RunDelays | undefined;
  const stop = async (): Promise<void> => {
    delays?.stop();
    child.kill("SIGINT");
    const timer = setTimeout(end, STOP_PATIENCE_MS);
    await gone;
    clearTimeout(timer);
    process.off("exit", end);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ready = await readyLine(child, errors);
    delays = watchRunDelays(ready.map(({ pid }) => pid));
    return {
      nodes: ready,
      delays,
      repositories,
      takeErrors: () => errors.splice(0),
      dead: () => ready.filter(({ pid }) => !isAlive(pid)).map(({ name }) => name),
      residentBytes: () => ready.reduce((sum, { pid }) => sum + residentOf(pid), 0),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    appendAll(lines, parts);
  });
  return lines;
}

function readyLine(child: ChildProcess, errors: readonly string[]): Promise<readonly LiveNode[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("the cluster was not ready in time")),
      START_PATIENCE_MS,
    );
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const line = text.split("\n").find((one) => one.includes('"ready"') && one.endsWith("}"));
      if (line === undefined) return;
      clearTimeout(timer);
      resolve((JSON.parse(line) as { readonly nodes: readonly LiveNode[] }).nodes);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the cluster ended with ${code}: ${errors.join(" ")}`));
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resident memory in bytes; 0 if the machine does not report it. */
function residentOf(pid: number): number {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}
