/** Conditions of the timeline: on the state of a cluster, on events of the trace, or on an answer. */
import { lookup } from "@orrery/stdx";
import type { TraceEvent } from "@orrery/ports";
import { unrecoveredIndex } from "./checkers/converges-to-green.ts";
import { bodyDifference } from "./expectations.ts";
import type { Condition, Plan } from "./plan.ts";
import { bestView } from "./selectors.ts";
import { newClient, type ClusterView, type ShardView, type World } from "./world.ts";

const LOOK_EVERY_MS = 100;

/** Resolves with `true` when the condition holds, with `false` if it does not before `isOver`. */
export async function untilHolds(
  given: Condition,
  plan: Plan,
  world: World,
  isOver: () => boolean,
): Promise<boolean> {
  if (given.event !== undefined && !(await untilEvent(given, given.event, world, isOver)))
    return false;
  for (;;) {
    if (isOver()) return false;
    if (await holds(given, plan, world)) return true;
    await world.sleep(LOOK_EVERY_MS);
  }
}

function untilEvent(
  { count = 1 }: Condition,
  wanted: NonNullable<Condition["event"]>,
  world: World,
  isOver: () => boolean,
): Promise<boolean> {
  let seen = 0;
  return new Promise((resolve) => {
    const unwatch = world.watch((event) => {
      if (!isLike(event, wanted)) return;
      seen += 1;
      if (seen < count) return;
      unwatch();
      resolve(true);
    });
    const look = async (): Promise<void> => {
      while (!isOver() && seen < count) await world.sleep(LOOK_EVERY_MS);
      unwatch();
      resolve(seen >= count);
    };
    void look();
  });
}

/** True if the event matches the pattern; a text that ends in `*` matches every text with that prefix. */
export function isLike(event: TraceEvent, wanted: NonNullable<Condition["event"]>): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const found = lookup(event as unknown as Readonly<Record<string, unknown>>, field);
    if (typeof value === "string" && value.endsWith("*"))
      return typeof found === "string" && found.startsWith(value.slice(0, -1));
    // Booleans of an event are text in a file.
    return found === value || (typeof found === "boolean" && String(found) === value);
  });
}

async function holds(given: Condition, plan: Plan, world: World): Promise<boolean> {
  const cluster = given.cluster ?? plan.clusters[0]?.name ?? "";
  const asksState = [given.health, given.nodes, given.shard].some((part) => part !== undefined);
  if (asksState) {
    const view = await bestView(world, cluster);
    if (view === undefined || !stateHolds(given, view)) return false;
  }
  return given.request === undefined || answerHolds(given, given.request, world, cluster);
}

function stateHolds({ health, nodes, index, shard }: Condition, view: ClusterView): boolean {
  const copies = view.shards.filter((copy) => index === undefined || copy.index === index);
  if (nodes !== undefined && view.nodes.length !== nodes) return false;
  if (shard !== undefined && !copies.some(({ state }) => state === shard)) return false;
  if (health === undefined) return true;
  return health === (unrecoveredIndex(view, index) === undefined ? healthOf(copies) : "red");
}

/** Health of copies: red without an active primary, yellow without an active replica, else green. */
export function healthOf(copies: readonly ShardView[]): "green" | "yellow" | "red" {
  const inactive = copies.filter(({ state }) => state !== "STARTED" && state !== "RELOCATING");
  if (inactive.some(({ isPrimary }) => isPrimary)) return "red";
  return inactive.length === 0 ? "green" : "yellow";
}

async function answerHolds(
  { body = {} }: Condition,
  request: string,
  world: World,
  cluster: string,
): Promise<boolean> {
  const [method = "", uri = ""] = request.split(" ");
  const [node] = world.running(cluster);
  if (node === undefined) return false;
  const asked = { method, uri, timeoutMs: 10_000 };
  const answer = await world.request(newClient("condition"), node, asked);
  if (answer === undefined || answer.status >= 300) return false;
  return bodyDifference(body, answer.body) === undefined;
}
