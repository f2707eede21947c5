/** The command as its users run it: a process, what it prints, and free ports for it. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";

export const bin: string = join(import.meta.dirname, "../bin/orrery.mjs");

export interface ReadyNode {
  readonly name: string;
  readonly http: string;
  readonly transport: string;
  readonly pid: number;
  readonly roles: readonly string[];
}

export interface Ready {
  readonly event: "ready";
  readonly health: string;
  readonly elapsed_ms: number;
  readonly nodes: readonly ReadyNode[];
  /** With `--control`. */
  readonly control?: { readonly url: string; readonly token: string };
}

export interface Running {
  readonly process: ChildProcess;
  /** The line that says so; rejects when the command ends before. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
  /** Ends when standard error holds the text. */
  complained(text: string): Promise<void>;
}

export function startOrrery(...args: string[]): Running {
  return observe(spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
}

/** A command that was started by other means, with pipes for its output. */
export function observe(child: ChildProcessByStdio<null, Readable, Readable>): Running {
  let out = "";
  let err = "";
  const watchers = new Set<() => void>();
  const onText = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
    onText();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString("utf8");
    onText();
  });
  const ended = new Promise<{ code: number | null; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, err }));
  });
  const printed = (isThere: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isThere()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${err}`)));
    });
  const ready = printed(() => out.includes("\n")).then(() => JSON.parse(out) as Ready);
  // A command that is meant to fail has nobody waiting for this.
  ready.catch(() => undefined);
  return { process: child, ready, ended, complained: (text) => printed(() => err.includes(text)) };
}

/**
 * The first of so many HTTP ports in a row that are free, as are their transport ports. Test files that run at the same time look in
 * different blocks, so that transport ports of one are not HTTP ports of the other.
 */
export async function freePorts(nodes: number): Promise<number> {
  for (let first = 20_000 + (process.pid % 45) * 200; first < 29_000; first += 200) {
    const ports = Array.from({ length: nodes }, (_, i) => [first + i, first + 100 + i]).flat();
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return first;
  }
  throw new Error("no free ports");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Whether a process of this id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ends when the claim holds; the machine's time, since it is the machine's processes that are waited for. */
export async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  while (!(await claim())) {
    if (performance.now() > deadlineMs) throw new Error(`not within 20 s: ${String(claim)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
