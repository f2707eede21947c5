/** Progress line of a start that takes long, on a terminal: the number of nodes that answer. The end of the start erases the line. */
import type { RunningCluster } from "./running-cluster.ts";

/** Part of a terminal that the line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Time before the line appears: a short start shows none. */
const DELAY_MS = 1000;
const INTERVAL_MS = 200;

const ERASED_LINE = "\r\u001B[K";

/** Shows the line until the returned function is called. Not a terminal: does nothing. */
export function showProgress(
  { members }: Pick<RunningCluster, "members">,
  terminal: Terminal = process.stderr,
): () => void {
  if (terminal.isTTY !== true) return () => undefined;
  const startedMs = performance.now();
  let isShown = false;
  const timer = setInterval(() => {
    if (performance.now() - startedMs < DELAY_MS) return;
    isShown = true;
    terminal.write(`${ERASED_LINE}${progressOf(members)}`);
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isShown) terminal.write(ERASED_LINE);
  };
}

/** The line: `12 of 30 nodes answer`. */
export function progressOf(members: RunningCluster["members"]): string {
  const nodes = [...members.values()];
  const serving = nodes.filter(({ isServing }) => isServing).length;
  return serving < nodes.length
    ? `${serving} of ${nodes.length} nodes answer`
    : `all ${nodes.length} nodes answer, the cluster is not green yet`;
}
