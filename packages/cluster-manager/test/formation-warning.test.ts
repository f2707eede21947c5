/** What a node without a cluster manager advises when voters lost their log. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";
import { expect, test } from "vitest";
import { warnUntilDiscovered } from "../src/formation-warning.ts";
import type { Links } from "../src/links.ts";
import type { ManagerSettings } from "../src/settings.ts";

/** The first warning. */
function warningWith(lost: readonly string[]): string {
  const timers: (() => void)[] = [];
  const lines: string[] = [];
  const setTimer = (_: number, action: () => void) => {
    timers.push(action);
    return () => undefined;
  };
  warnUntilDiscovered({
    clock: { setTimer } as unknown as Clock,
    log: (_, line) => lines.push(line),
    settings: { duration: () => 1, list: () => [] } as unknown as ManagerSettings,
    links: { connected: new Map() } as unknown as Links,
    localNode: { name: "node-1" } as DiscoveryNode,
    hasNoManager: () => true,
    withLostLog: () => lost,
  });
  timers[0]?.();
  return lines[0] ?? "";
}

test.each([
  [[], "from hosts providers"],
  [
    ["node-2"],
    "; [node-2] lost part of the cluster state and does not vote: start the other nodes, or run [orrery node repair] on it",
  ],
  [
    ["node-2", "node-3"],
    "; [node-2, node-3] lost part of the cluster state and do not vote: start the other nodes, or run [orrery node repair] on them",
  ],
])("the warning with the lost logs of %j", (lost, end) => {
  const warning = warningWith(lost);

  expect(warning.endsWith(end)).toBe(true);
});
