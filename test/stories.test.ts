/**
 * The stories beside the operations, each on a cluster of its own in the simulation: time is virtual, so a story that waits for
 * a timeout costs nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dispatch } from "@orrery/rest";
import { createSimulation, type Simulation } from "@orrery/simulator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./repository.ts";

interface Story {
  readonly story: string;
  readonly cluster?: {
    readonly nodes?: number;
    /** `node.attr.zone` of each node. */
    readonly zones?: readonly string[];
    readonly settings?: Record<string, string>;
  };
  readonly before?: readonly Step[];
  readonly when: Step;
  readonly then: { readonly status: number; readonly body?: unknown; readonly text?: string };
}

/** One method with its path; `body` as JSON, `ndjson` line by line, `text` as it is. */
type Step = Record<string, unknown> & {
  readonly body?: unknown;
  readonly ndjson?: readonly unknown[];
  readonly text?: string;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"];
const operations = join(root, "packages/rest/src/operations");
const files = readdirSync(operations, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith("stories.yaml"),
);

describe.each(files)("%s", (file) => {
  const stories = parse(readFileSync(join(operations, file), "utf8")) as readonly Story[];

  test.each(stories.map((story) => [story.story, story] as const))("%s", async (_, story) => {
    const simulation = createSimulation({ seed: 1 });
    await boot(simulation, story);

    for (const step of story.before ?? []) {
      const { status, text } = await send(simulation, step);
      expect(status, text).toBeLessThan(300);
    }
    const answer = await send(simulation, story.when);

    expect(answer.status, answer.text).toBe(story.then.status);
    if (story.then.text !== undefined) expect(answer.text).toBe(story.then.text);
    if (story.then.body !== undefined) {
      expect(JSON.parse(answer.text)).toMatchObject(story.then.body as object);
    }
    simulation.end();
  });
});

const PATIENCE_MS = 120_000;

/** Runs virtual time until the promise has an outcome. */
async function outcomeOf<T>(simulation: Simulation, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  // A rejection is the caller's, once time has stopped.
  settled.catch(() => undefined);
  await simulation.queue.run(simulation.queue.nowMs + PATIENCE_MS, () => isSettled);
  expect(isSettled, "it never ended").toBe(true);
  return settled;
}

async function boot(simulation: Simulation, { cluster }: Story): Promise<void> {
  const names = Array.from({ length: cluster?.nodes ?? 1 }, (_, i) => `node-${i + 1}`);
  for (const [i, name] of names.entries()) {
    const zone = cluster?.zones?.[i];
    void simulation.start({
      name,
      clusterName: "stories",
      httpAddress: `${name}:9200`,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: {
        "discovery.seed_hosts": names,
        "cluster.initial_cluster_manager_nodes": ["node-1"],
        "orrery.strict": "true",
        ...(zone === undefined ? {} : { "node.attr.zone": zone }),
        ...cluster?.settings,
      },
    });
  }
  const isFormed = (): boolean =>
    names.every((name) => {
      const state = simulation.cluster(name)?.state();
      return (
        state?.managerNodeId !== undefined &&
        state.nodes.size === names.length &&
        state.blocks.global.length === 0
      );
    });
  await simulation.queue.run(PATIENCE_MS, isFormed);
  expect(isFormed(), "the cluster did not form").toBe(true);
}

async function send(
  simulation: Simulation,
  step: Step,
): Promise<{ readonly status: number; readonly text: string }> {
  const method = METHODS.find((name) => name in step) ?? "GET";
  const cluster = simulation.cluster("node-1");
  if (cluster === undefined) throw new Error("node-1 is down");
  const { text, type } = bodyOf(step);
  const headers = text === "" ? {} : { "content-type": type };
  const request = { method, uri: String(step[method]), headers, body: Buffer.from(text) };
  const response = await outcomeOf(simulation, dispatch(request, cluster));
  return { status: response.status, text: Buffer.concat(response.body).toString() };
}

function bodyOf(step: Step): { readonly text: string; readonly type: string } {
  if (step.text !== undefined) return { text: step.text, type: "application/x-ndjson" };
  if (step.ndjson !== undefined) {
    return {
      text: step.ndjson.map((line) => `${JSON.stringify(line)}\n`).join(""),
      type: "application/x-ndjson",
    };
  }
  return {
    text: step.body === undefined ? "" : JSON.stringify(step.body),
    type: "application/json",
  };
}
