/**
 * `orrery node`: starts one node of a data folder in this process, with its stored plan; inspects or repairs a stopped
 * one.
 */
import type { NodePlan } from "./cluster-plan.ts";
import { httpUrl, readPlan, transportName } from "./data-folder.ts";
import { exposureOf } from "./listening/exposure.ts";
import { resolveAddresses } from "./listening/node-addresses.ts";
import { inspectNode, repairNode } from "./node-repair.ts";
import { readOptions, type ParsedOptions } from "./options.ts";
import { untilJoined } from "./serve-node.ts";
import { startSocketNode } from "./socket-node.ts";
import { signalled, UsageError } from "./usage.ts";

export async function nodeCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    data: { type: "string" },
    json: { type: "boolean" },
    rejoin: { type: "boolean" },
    "skip-entry": { type: "string" },
    "accept-data-loss": { type: "boolean" },
    rename: { type: "boolean" },
  });
  const [verb = "", name, ...rest] = options.positionals;
  if (!["start", "inspect", "repair"].includes(verb) || name === undefined || rest.length > 0) {
    throw new UsageError("expected [orrery node start|inspect|repair NAME --data DIR]");
  }
  if (verb === "inspect") return inspectNode(name, options);
  if (verb === "repair") return repairNode(name, options);
  return startOne(name, options);
}

async function startOne(name: string, options: ParsedOptions): Promise<number> {
  const data = options.text("data");
  if (data === undefined)
    throw new UsageError("[--data DIR] is missing: where does the node live?");
  const { plan: stored, path } = readPlan(data, name);
  const plan: NodePlan = { ...stored, addresses: await resolveAddresses(stored.settings) };
  if (plan.transport === "memory")
    throw new UsageError(`[${name}] is of a cluster in one process: start it with [orrery up]`);
  const warning = exposureOf(plan);
  if (warning !== undefined) process.stderr.write(`orrery: ${warning}\n`);
  const startedAt = Number(process.env["ORRERY_STARTED_AT"] ?? performance.timeOrigin);
  const served = await startSocketNode(plan, path);
  const ended = signalled();
  const refused = new Promise<never>((_, reject) => {
    served.node.onJoinRefused((problem) => reject(new UsageError(problem.reason ?? problem.type)));
  });
  try {
    const outcome = await Promise.race([untilJoined(served.cluster), ended, refused]);
    if (outcome === "signal") return 0;
    const { roles } = served.cluster.localNode;
    const node = {
      name,
      http: httpUrl(plan),
      transport: transportName(plan),
      pid: process.pid,
      roles,
    };
    const elapsed = Math.round(performance.timeOrigin + performance.now() - startedAt);
    const line = options.flag("json")
      ? JSON.stringify({ event: "ready", elapsed_ms: elapsed, nodes: [node] })
      : `${name}  ${node.http}  pid ${node.pid}  joined in ${elapsed} ms`;
    process.stdout.write(`${line}\n`);
    await ended;
    return 0;
  } finally {
    await served.stop();
  }
}
