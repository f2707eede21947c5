/** Each version of the cluster state is looked at once, as the first node that had it shows it. */
import { expect, test } from "vitest";
import { parseScenario, runScenario } from "../src/index.ts";
import type { ClusterView, RecordedEvent } from "../src/world.ts";

const plan = parseScenario(
  "test.yaml",
  `name: test/observed
claim: Used by tests.
indices: { books: { shards: 2, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 1, documents: 2, every: 50ms, timeout: 5s }
faults: [{ kind: crash, node: any-but-elected-cluster-manager, from: 100ms, to: 300ms }]
phases: { faults: 1s, converge: 60s }
checkers: [converges-to-green]
`,
);

test("versions are seen in order, each with the time at which the first node had it, the last one too", async () => {
  const applied = new Map<number, number>();
  const seen: { readonly atMs: number; readonly cluster: string; readonly view: ClusterView }[] =
    [];
  const onEvent = (event: RecordedEvent): void => {
    if (event.kind !== "cluster-state-applied" || applied.has(event.version)) return;
    applied.set(event.version, event.at_ms);
  };

  await runScenario(plan, 1, {
    onEvent,
    onState: (atMs, cluster, view) => void seen.push({ atMs, cluster, view }),
  });

  const versions = seen.map(({ view }) => view.version);
  expect(versions).toEqual([...applied.keys()].filter((version) => versions.includes(version)));
  expect(versions.length).toBeGreaterThan(0.9 * applied.size);
  expect(versions.at(-1)).toBe([...applied.keys()].at(-1));
  for (const { atMs, view } of seen) expect(atMs).toBe(applied.get(view.version));
  const last = seen.at(-1)?.view.shards ?? [];
  expect(last.map(({ state }) => state)).toEqual(["STARTED", "STARTED", "STARTED", "STARTED"]);
});

test("looking changes nothing", async () => {
  const looked = await runScenario(plan, 2, { onState: () => undefined });

  expect(looked.hash).toBe((await runScenario(plan, 2)).hash);
});
