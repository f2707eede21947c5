/** Exploration: plans that are drawn and mutated can be run, undo what they do, and are judged by what is left to judge. */
import { createRandom, type JsonObject } from "@orrery/stdx";
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { attempt } from "../src/explore/actions/action.ts";
import { actionKinds, actions } from "../src/explore/actions/table.ts";
import { drawSketch, sceneOf } from "../src/explore/draw-sketch.ts";
import { drawBlock, drawFault } from "../src/explore/parts.ts";
import { createExplorer, readSketch, runTrial, writeSketch } from "../src/explore/explorer.ts";
import { complaintOf, groupOf } from "../src/explore/group.ts";
import { createMomentCounter, drawMoment } from "../src/explore/moments.ts";
import { mutated } from "../src/explore/mutate.ts";
import { repaired } from "../src/explore/repair.ts";
import { areas } from "../src/explore/scene.ts";
import { shrinkSketch } from "../src/explore/shrink-sketch.ts";
import { planOf, type Block, type Sketch } from "../src/explore/sketch.ts";
import { faultKinds } from "../src/faults/table.ts";
import { parsePlan } from "../src/index.ts";
import type { Plan } from "../src/plan.ts";
import { workloads } from "../src/workloads/table.ts";
import type { RecordedEvent } from "../src/world.ts";
import { checkerNamed } from "./world.ts";

const calm: Sketch = {
  area: "replication",
  clusters: [
    {
      name: "main",
      nodes: ["1", "2", "3"].map((n) => ({ name: `node-${n}`, settings: {} })),
      settings: {},
    },
  ],
  indices: [
    ...["books", "films"].map((name) => ({
      ...{ name, cluster: "main", shards: 1, replicas: 1, settings: {}, mappings: {}, aliases: {} },
    })),
  ],
  workload: [],
  faults: [],
  blocks: [],
  disturbMs: 2000,
};

function withBlock(block: Partial<Block>): Sketch {
  return {
    ...calm,
    blocks: [{ kind: "fault", trigger: { kind: "at", atMs: 10 }, steps: [], ...block }],
  };
}

function requestsOf({ timeline }: Plan): readonly string[] {
  return timeline.flatMap(({ action }) =>
    action.kind === "request" ? `${action.step.method} ${action.step.uri}` : [],
  );
}

describe("a sketch", () => {
  test("that is drawn, or mutated, is a plan that reads as it was written", () => {
    forSeeds(12, (random) => {
      let sketch = drawSketch(createRandom(String(random.int(0, 1e9))));
      for (let i = 0; i < 3; i += 1) {
        const written = writeSketch(sketch);
        expect(writeSketch(sketch)).toEqual(written);
        expect(parsePlan("drawn", written)).toEqual(planOf(sketch));
        sketch = mutated({ sketch, came: {} }, random, drawSketch(random));
      }
    });
  });

  test("is whole between two changes: indices of another topology lie in a cluster that is there", () => {
    // Of 7,500 such seeds one gets the indices of two clusters into one, and then an action on a node of such an index.
    const random = createRandom("leases-8790");

    const sketch = drawSketch(random, "leases");
    const { clusters, indices } = mutated({ sketch, came: {} }, random, drawSketch(random));

    const names = clusters.map(({ name }) => name);
    for (const { cluster } of indices) expect(names).toContain(cluster);
  });

  test.each(faultKinds)("may have the fault %s", (kind) => {
    const scenes = areas.flatMap((area) =>
      [1, 2, 3].map((n) => {
        const random = createRandom(`${kind}-${n}`);
        return sceneOf(random, drawSketch(random, area), {});
      }),
    );

    expect(scenes.filter((scene) => drawFault(scene, kind) !== undefined).length).toBeGreaterThan(
      0,
    );
  });

  test.each(actionKinds)("may have the action %s", (kind) => {
    const sketches = actions[kind].areas.flatMap((area) =>
      [1, 2, 3, 4].map((n) => drawSketch(createRandom(`${kind}-${n}`), area)),
    );
    const drawn = sketches.filter((sketch) =>
      drawBlock(sceneOf(createRandom(kind), sketch, {}), kind),
    );

    expect(drawn.length).toBeGreaterThan(0);
  });

  test.each(areas)("about %s draws what is of its area", (area) => {
    const drawn = Array.from({ length: 20 }, (_, i) =>
      drawSketch(createRandom(`${area}-${i}`), area),
    );

    for (const sketch of drawn) {
      expect(sketch.area).toBe(area);
      for (const { kind } of sketch.blocks)
        if (kind !== "fault") expect(actions[kind].areas).toContain(area);
    }
  });

  test("undoes what it asked for once its faults are over, and not what it did not", () => {
    const close = withBlock({ kind: "close", steps: actions.close.draw(sceneLike()) ?? [] });

    const undone = planOf(close).timeline.findIndex(
      ({ trigger }) => trigger.kind === "at" && trigger.atMs > 30_000,
    );

    expect(undone).toBeGreaterThan(0);
    const retry = "POST /_cluster/reroute?retry_failed=true";
    expect(requestsOf(planOf(close)).slice(-4)).toEqual([
      "POST /books/_open?wait_for_active_shards=0",
      "POST /films/_open?wait_for_active_shards=0",
      // A recovery that was under way may fail after the first one.
      retry,
      retry,
    ]);
    expect(requestsOf(planOf(calm)).slice(1)).toEqual([retry, retry]);
  });

  test("whose faults may take the last copy is not judged by what clients wrote, and gives up what is lost", () => {
    const fault = { kind: "lose-data", node: "node-1" } as const;
    const written = {
      kind: "bulk",
      index: "books",
      documents: 1,
      ids: "named",
      refresh: "none",
      clients: 1,
      everyMs: 100,
      timeoutMs: 5000,
      fromMs: 0,
    } as const;
    const safe = planOf({ ...calm, workload: [written] });
    const lossy = planOf({
      ...calm,
      workload: [written],
      faults: [{ trigger: { kind: "at", atMs: 10 }, fault }],
    });

    expect(safe.checkers).toContain("no-acknowledged-write-lost");
    const excused = safe.checkers.filter((name) => !lossy.checkers.includes(name));
    expect(excused).toEqual(
      safe.checkers.filter((name) => checkerNamed(name).excusedBy.includes("copies")),
    );
    expect(JSON.stringify(lossy.timeline)).toContain("allocate_empty_primary");
  });

  test("takes its last snapshot of what is left when the rest was given up", () => {
    const [main] = calm.clusters;
    const settings = { "path.repo": "/repositories" };
    const fault = { kind: "lose-data", node: "node-1" } as const;

    const requests = requestsOf(
      planOf({
        ...{ ...calm, clusters: [{ name: "main", nodes: [], ...main, settings }] },
        faults: [{ trigger: { kind: "at", atMs: 10 }, fault }],
      }),
    );

    const last = requests.findIndex((line) => line.startsWith("PUT /_snapshot/safe/last"));
    expect(last).toBeGreaterThan(requests.lastIndexOf("POST /_cluster/reroute"));
  });
});

/** Draws always the first of what there is. */
function sceneLike() {
  const random = createRandom("scene");
  const [index] = calm.indices;
  return {
    ...{ random, area: calm.area, clusters: calm.clusters, indices: calm.indices, disturbMs: 2000 },
    ...{ chance: () => false, ms: (low: number) => low, perMille: (low: number) => low },
    ...{ node: () => "node-1", cluster: () => calm.clusters[0] as never, zones: () => [] },
    ...{ index: () => index as never, shardOf: () => 0, nodeOf: () => "node-1", links: () => ({}) },
    hasRepository: () => false,
  };
}

describe("a repair", () => {
  test("names what the sketch has in place of what it has not", () => {
    const foreign = withBlock({
      steps: [{ kind: "fault", fault: { kind: "crash", node: "primary:books/7@lead" }, forMs: 10 }],
    });

    const { blocks, faults } = repaired({
      ...foreign,
      faults: [
        {
          trigger: { kind: "at", atMs: 9999 },
          forMs: 9999,
          fault: { kind: "pause", node: "node-9" },
        },
      ],
    });

    expect(blocks[0]?.steps).toMatchObject([{ fault: { node: "primary:books/0" } }]);
    const [pause] = faults;
    expect(pause?.fault).toMatchObject({ node: expect.stringMatching(/^node-[123]$/) });
    expect(pause?.trigger).toEqual({ kind: "at", atMs: 1990 });
    expect(pause?.forMs).toBe(10);
  });

  test("leaves no more copies than there are nodes in the end", () => {
    const goes = {
      trigger: { kind: "at", atMs: 10 },
      fault: { kind: "remove-node", node: "any" },
    } as const;
    const copied = { ...calm, indices: calm.indices.map((index) => ({ ...index, replicas: 5 })) };
    const replicasOf = ({ indices }: Sketch) => indices.map(({ replicas }) => replicas);

    expect(replicasOf(repaired(copied))).toEqual([2, 2]);
    expect(replicasOf(repaired({ ...copied, faults: [goes] }))).toEqual([1, 1]);
  });

  test("takes its last snapshot only in a repository that lost nothing", () => {
    const clusters = calm.clusters.map((cluster) => ({
      ...cluster,
      settings: { "path.repo": "/repositories" },
    }));
    const rot: Block = {
      kind: "fault",
      trigger: { kind: "at", atMs: 10 },
      steps: [
        {
          kind: "fault",
          fault: { kind: "repository-corruption", location: "", path: "", bits: 1 },
        },
      ],
    };
    const last = "PUT /_snapshot/safe/last?wait_for_completion=true";

    expect(requestsOf(planOf({ ...calm, clusters }))).toContain(last);
    expect(requestsOf(planOf({ ...calm, clusters, blocks: [rot] }))).not.toContain(last);
  });

  test("asks for no more replicas than the cluster of a follower holds, since it may keep them", () => {
    const step = attempt("PUT /books/_settings", { body: { index: { number_of_replicas: 2 } } });
    const one = withBlock({ kind: "replicas", steps: [step] });
    const copy = {
      name: "copy",
      nodes: ["1", "2"].map((n) => ({ name: `copy-${n}`, settings: {} })),
      settings: {},
    };
    const asked = ({ blocks }: Sketch) => blocks.map(({ steps }) => steps);

    expect(asked(repaired(one))).toMatchObject([[step]]);
    expect(asked(repaired({ ...one, clusters: [...calm.clusters, copy] }))).toMatchObject([
      [{ step: { body: { index: { number_of_replicas: 1 } } } }],
    ]);
  });

  test("leaves one vote in danger at most, and none of two", () => {
    const wipe = (node: string) =>
      ({ trigger: { kind: "at", atMs: 10 }, fault: { kind: "lose-data", node } }) as const;
    const lossy = { ...calm, faults: [wipe("node-1"), wipe("node-2")] };
    const small = {
      ...lossy,
      clusters: [{ ...calm.clusters[0], nodes: calm.clusters[0]?.nodes.slice(1) ?? [] } as never],
    };

    expect(repaired(lossy).faults).toHaveLength(1);
    expect(repaired(small).faults).toHaveLength(0);
  });

  test("begins no fault again that would not be over in time", () => {
    const again = { kind: "every", everyMs: 100, fromMs: 50, toMs: 1900 } as const;
    const lasting = {
      trigger: again,
      forMs: 700,
      fault: { kind: "pause", node: "node-1" } as const,
    };

    const [pause] = repaired({ ...calm, faults: [lasting] }).faults;

    expect(pause?.trigger).toMatchObject({ fromMs: 50, toMs: calm.disturbMs - 700 });
  });

  test("takes the data of no voter where another one loses its vote", () => {
    const trigger = { kind: "at", atMs: 10 } as const;
    const faults = [{ trigger, forMs: 50, fault: { kind: "lose-data", node: "node-1" } as const }];
    const steps = [attempt("POST /_cluster/voting_config_exclusions?node_names=node-2")];
    const blocks = [{ kind: "voting-exclusions", trigger, steps } as const];

    expect(repaired({ ...calm, faults }).faults).toHaveLength(1);
    expect(repaired({ ...calm, faults, blocks }).faults).toHaveLength(0);
  });

  test("takes the data of a zone only where that is one vote", () => {
    const zoned = (zones: readonly string[]): Sketch => ({
      ...calm,
      clusters: calm.clusters.map((cluster) => ({
        ...cluster,
        nodes: cluster.nodes.map((node, i) => ({ ...node, zone: zones[i] ?? "" })),
      })),
      faults: [
        {
          ...{ fault: { kind: "lose-data", node: "zone:a" } as const, forMs: 50 },
          trigger: { kind: "at", atMs: 10 } as const,
        },
      ],
    });

    const taken = [
      ["a", "b", "a"],
      ["a", "b", "c"],
    ].map((zones) => repaired(zoned(zones)).faults.length);

    expect(taken).toEqual([0, 1]);
  });

  test("deletes the indices that clients made when their only copies may be lost", () => {
    const scene = sceneOf(createRandom("made"), calm, {});
    const clients = workloads["new-indices"].draw?.(scene);
    const lossy: Block = {
      ...{ kind: "fault", trigger: { kind: "at", atMs: 10 } },
      steps: [{ kind: "fault", fault: { kind: "lose-data", node: "node-1" }, forMs: 50 }],
    };
    const workload = clients === undefined ? [] : [clients];

    const plans = [
      { ...calm, workload },
      { ...calm, workload, blocks: [lossy] },
    ].map((sketch) => requestsOf(planOf(sketch)).filter((line) => line.startsWith("DELETE")));

    expect(plans).toEqual([[], ["DELETE /made-*"]]);
  });
});

describe("a moment", () => {
  const resync = { kind: "message-sent", action: "internal:index/seq_no/resync[r]" };
  const elected = { kind: "cluster-manager-elected", nodeId: "n1", term: 2 };
  const after = (...events: readonly (readonly [number, object])[]) => {
    const counter = createMomentCounter(1000);
    for (const [at_ms, event] of events)
      counter.hear({ at_ms, node: "node-1", ...event } as RecordedEvent);
    return counter.counts();
  };

  test("is counted as long as a step may wait for it", () => {
    const counts = after(
      [5, resync],
      [9, elected],
      [1000, resync],
      [1001, resync],
      [1001, elected],
    );

    expect(Object.values(counts).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test("came in the run of the plan that is changed, most of the time, and so often", () => {
    const random = createRandom("moments");
    const scene = sceneOf(random, calm, after([5, elected], [6, elected]));
    const drawn = Array.from({ length: 200 }, () => drawMoment(scene));
    const aims = drawn.flatMap((one) => (one.kind === "when" ? [one.condition] : []));
    const seen = aims.filter(({ event }) => event?.["kind"] === elected.kind);

    expect([seen.length > 140, seen.length < 190]).toEqual([true, true]);
    expect(drawMoment(sceneOf(random, calm, {})).kind).toBe("when");
  });

  test("that did not come is another one in some of the plans made from it", () => {
    const trigger = drawMoment(sceneOf(createRandom("idle"), calm, {}));
    const steps = [{ kind: "fault", fault: { kind: "kill", node: "node-1" }, forMs: 50 }] as const;
    const idle: Sketch = { ...calm, blocks: [{ kind: "fault", trigger, steps }] };
    const came = after([5, elected]);
    const aims = Array.from({ length: 300 }, (_, i) => {
      const random = createRandom(`aim-${i}`);
      return mutated({ sketch: idle, came }, random, calm).blocks[0]?.trigger;
    });
    const isAimed = (one: (typeof aims)[number]): boolean =>
      one?.kind === "when" && one.condition.event?.["kind"] === elected.kind;

    expect(isAimed(trigger)).toBe(false);
    expect(aims.filter(isAimed).length).toBeGreaterThan(20);
  });
});

describe("an explorer", () => {
  test("says the same when it is told the same", () => {
    const plans = (): readonly unknown[] => {
      const explorer = createExplorer({ seed: 5 });
      return Array.from({ length: 40 }, (_, i) => {
        const trial = explorer.next();
        explorer.learn(trial, { tuples: [`a${i % 7}`, `b${i}`], events: 1000 + i, came: {} });
        return trial;
      });
    };

    expect(plans()).toEqual(plans());
  });

  test("makes plans from those it has learnt of, and draws others all the same", () => {
    const explorer = createExplorer({ seed: 1 });
    const drawn = Array.from({ length: 200 }, (_, i) => {
      const trial = explorer.next();
      explorer.learn(trial, { tuples: [`t${i}`], events: 100, came: {} });
      return trial.isDrawn;
    });

    expect(drawn.slice(0, 10)).not.toContain(false);
    const share = drawn.slice(10).filter(Boolean).length / 190;
    expect([share >= 0.2, share < 0.4]).toEqual([true, true]);
  });

  test("runs a plan as its file would be run, and tells its behaviour without names of nodes", async () => {
    const sketch = { ...drawSketch(createRandom("trial"), "replication"), disturbMs: 1500 };
    const written = writeSketch(repaired(sketch));

    const first = await runTrial(written, 3);
    const again = await runTrial(written, 3);

    expect(again).toEqual(first);
    expect(first.tuples.length).toBeGreaterThan(50);
    expect(first.tuples.filter((tuple) => /node-\d/.test(tuple))).toEqual([]);
  });

  test("goes on from a corpus that it can run, and passes over what is none", () => {
    const sketch = drawSketch(createRandom("kept"));

    expect(readSketch(JSON.parse(JSON.stringify(sketch)))).toEqual(sketch);
    expect(readSketch({ clusters: 1 })).toBeUndefined();
    expect(
      readSketch({ ...(sketch as unknown as JsonObject), workload: [{ kind: "none" }] }),
    ).toBeUndefined();
  });
});

test("a finding is shrunk without what undoes administration being left out", async () => {
  const drawn = drawSketch(createRandom("shrunk"), "administration");
  const sketch = repaired({
    ...drawn,
    blocks: [
      {
        kind: "close",
        trigger: { kind: "at", atMs: 10 },
        steps: actions.close.draw(sceneLike()) ?? [],
      },
      ...drawn.blocks,
    ],
  });
  const isClosed = (plan: JsonObject): boolean =>
    JSON.stringify(plan["timeline"]).includes("/_close");
  const finding = { checker: "converges-to-green", invariant: "INV-COORD-2", says: "red", atMs: 1 };

  const least = await shrinkSketch(sketch, 1, {
    isTimeUp: () => false,
    failureOf: async (plan) => (isClosed(plan) ? { finding, operations: 1 } : undefined),
  });

  expect(least?.sketch.faults).toEqual([]);
  expect(least?.sketch.blocks.map(({ kind }) => kind)).toEqual(["close"]);
  expect(JSON.stringify(planOf(least?.sketch ?? calm))).toContain("/_open");
});

test("findings are one when the same judge says the same of other names, or the same happened last", () => {
  const of = (says: string) => ({ checker: "a", invariant: "INV-DATA-1", says, atMs: 1 });

  expect(complaintOf(of("[x] of 3 on node-1"))).toBe(complaintOf(of("[y] of 4 on node-2")));
  expect(complaintOf(of("lost"))).not.toBe(complaintOf(of("found")));
  expect(groupOf(of("lost"), ["node crashed"])).toBe("a | INV-DATA-1 | node crashed");
});
