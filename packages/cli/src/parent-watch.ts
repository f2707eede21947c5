/**
 * Watch over the processes between this one and `npx`, which started it. A killed `npx` passes on no signal: it leaves its
 * shell, or this process, to another parent. A process of any other origin, such as one that its user detached, is not
 * watched.
 */
import { readFileSync } from "node:fs";

/** A process, and its parent when the watch began. */
interface Link {
  readonly parentNow: () => number | undefined;
  readonly parent: number;
}

const WATCH_MS = 500;

/** Most processes between this one and npx: a newer Node and a shell. */
const MOST_LINKS = 3;

/** Resolves when a process on the way to `npx` has got another parent; never, if `npx` did not start this process. */
export function untilNpxEnds(): Promise<"signal"> {
  return new Promise((resolve) => {
    if (process.env["npm_command"] !== "exec") return;
    const links = linksToNpm();
    const timer = setInterval(() => {
      if (links.every(({ parent, parentNow }) => parentNow() === parent)) return;
      clearInterval(timer);
      resolve("signal");
    }, WATCH_MS);
    // The watch must not keep a finished process alive.
    timer.unref();
  });
}

/** Links from this process up to npm; without `/proc` only its own. */
function linksToNpm(): readonly Link[] {
  const links: Link[] = [{ parent: process.ppid, parentNow: () => process.ppid }];
  for (let pid = process.ppid; links.length <= MOST_LINKS;) {
    const found = statusOf(pid);
    // The parent of npm may end without npm.
    if (found === undefined || found.name.startsWith("npm")) return links;
    const child = pid;
    links.push({ parent: found.parent, parentNow: () => statusOf(child)?.parent });
    pid = found.parent;
  }
  // No npm was found: another program has set the variables.
  return links.slice(0, 1);
}

/** Name and parent of a process; `undefined` if it has ended, or the system has no `/proc`. */
function statusOf(pid: number): { readonly name: string; readonly parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", parent = ""] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
