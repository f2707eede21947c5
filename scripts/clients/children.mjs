/** The processes that run for the clients, so that none outlives an interrupted run. */
import { spawn } from "node:child_process";

const running = new Set();

/** Starts a process that ends with this one. */
export function startChild(program, args, options) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  running.add(child);
  child.on("close", () => running.delete(child));
  return child;
}

/** Ends with this signal's exit code, after all children. */
export function endWithSignals() {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])
    process.on(signal, async () => {
      const ended = [...running].map((child) => new Promise((done) => child.on("close", done)));
      for (const child of running) child.kill();
      await Promise.all(ended);
      process.exit(code);
    });
}
