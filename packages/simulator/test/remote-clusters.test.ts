/** A node as a client of another cluster: links follow the settings, are found again, and keep the clusters apart. */
import type { RemoteInfo } from "@orrery/node";
import { expect, test } from "vitest";
import { createSimulation, type Simulation } from "../src/index.ts";

const leaders = ["leader-1", "leader-2", "leader-3"];
const followers = ["follower-1", "follower-2"];

interface Run {
  readonly simulation: Simulation;
  run(ms: number, until?: () => boolean): Promise<void>;
  start(name: string): Promise<void>;
  /** Sets persistent settings of the follower's cluster. */
  set(settings: Record<string, string | readonly string[] | null>): Promise<void>;
  remote(): RemoteInfo | undefined;
}

/** Both clusters have the same name, as two of one maker's default have. */
async function twoClusters(seed: number): Promise<Run> {
  const simulation = createSimulation({ seed });
  const { queue } = simulation;
  const run = (ms: number, until?: () => boolean): Promise<void> =>
    queue.run(queue.nowMs + ms, until);
  const start = (name: string): Promise<void> => {
    const names = leaders.includes(name) ? leaders : followers;
    const [first = ""] = names;
    return simulation.start({
      name,
      clusterName: "orrery",
      httpAddress: undefined,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: { "discovery.seed_hosts": names, "cluster.initial_cluster_manager_nodes": [first] },
    });
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const watched = work.finally(() => (isDone = true));
    watched.catch(() => undefined);
    await run(120_000, () => isDone);
    return watched;
  };
  const sizes = (): boolean =>
    [...leaders, ...followers].every((name) => {
      const state = simulation.cluster(name)?.state();
      const wanted = leaders.includes(name) ? 3 : 2;
      return state?.managerNodeId !== undefined && state.nodes.size === wanted;
    });
  await finish(Promise.all([...leaders, ...followers].map(start)));
  await run(60_000, sizes);
  return {
    simulation,
    run,
    start,
    set: async (settings) => {
      const cluster = simulation.cluster("follower-1");
      if (cluster === undefined) throw new Error("follower-1 is down");
      const task = {
        kind: "update-cluster-settings",
        persistent: settings,
        transient: {},
      } as const;
      await finish(cluster.submit(task));
    },
    remote: () => simulation.cluster("follower-2")?.remotes.info()[0],
  };
}

test("a seed leads to the nodes of the remote cluster, and the clusters stay apart", async () => {
  const { simulation, run, set, remote } = await twoClusters(1);

  await set({ "cluster.remote.lead.seeds": ["leader-2"] });
  await run(5000, () => remote()?.connections === 3);
  await run(5000);

  expect(remote()).toMatchObject({ alias: "lead", mode: "sniff", connections: 3 });
  expect(simulation.cluster("leader-1")?.state().nodes.size).toBe(3);
  expect(simulation.cluster("follower-1")?.state().nodes.size).toBe(2);
});

test("lost links come back by another seed, and go with the settings", async () => {
  const { simulation, run, set, remote, start } = await twoClusters(2);
  await set({
    "cluster.remote.lead.seeds": ["leader-1", "leader-3"],
    "cluster.remote.lead.node_connections": "1",
  });
  await run(5000, () => remote()?.connections === 1);

  simulation.crash("leader-1");
  await run(30_000, () => remote()?.connections === 0);
  await run(30_000, () => remote()?.connections === 1);
  const other = remote()?.connections;
  void start("leader-1");
  await set({ "cluster.remote.lead.seeds": null, "cluster.remote.lead.node_connections": null });
  await run(5000, () => remote() === undefined);

  expect(other).toBe(1);
  expect(remote()).toBeUndefined();
});

test("as many nodes are linked as the settings say now", async () => {
  const { run, set, remote } = await twoClusters(4);
  const most = "cluster.remote.lead.node_connections";
  const linked = async (): Promise<number | undefined> => {
    await run(5000);
    return remote()?.connections;
  };
  await set({ "cluster.remote.lead.seeds": ["leader-1"], [most]: "3" });

  const first = await linked();
  await set({ [most]: "1" });
  const fewer = await linked();
  await set({ [most]: "2" });

  expect([first, fewer, await linked()]).toEqual([3, 1, 2]);
});

test("an alias nobody configured is refused by name, as are settings that do not fit together", async () => {
  const { simulation, set } = await twoClusters(3);
  const cluster = simulation.cluster("follower-1");

  await expect(cluster?.remotes.state("lead", [])).rejects.toMatchObject({
    problem: { type: "no_such_remote_cluster_exception", status: 404 },
  });
  await expect(set({ "cluster.remote.lead.skip_unavailable": "true" })).rejects.toThrow(
    "Cannot configure setting [cluster.remote.lead.skip_unavailable] if remote cluster is not enabled.",
  );
  await expect(
    set({
      "cluster.remote.lead.mode": "proxy",
      "cluster.remote.lead.node_connections": "2",
    }),
  ).rejects.toThrow(
    'Setting "cluster.remote.lead.node_connections" cannot be used with the configured "cluster.remote.lead.mode" [required=SNIFF, configured=PROXY]',
  );
  await expect(set({ "cluster.remote.lead.seeds": ["a:b"] })).rejects.toThrow(
    "failed to parse port",
  );
});

test("a node without the role is a client of no other cluster", async () => {
  const simulation = createSimulation({ seed: 1 });
  const started = simulation.start({
    name: "alone",
    clusterName: "orrery",
    httpAddress: undefined,
    hostAddress: "127.0.0.1",
    hostName: "alone",
    settings: {
      "node.roles": ["cluster_manager", "data"],
      "cluster.initial_cluster_manager_nodes": ["alone"],
    },
  });
  await simulation.queue.run(1000);
  await started;

  const asked = simulation.cluster("alone")?.remotes.state("lead", []);

  await expect(asked).rejects.toMatchObject({
    problem: {
      type: "illegal_argument_exception",
      reason: "this node does not have the remote_cluster_client role",
      status: 400,
    },
  });
});
