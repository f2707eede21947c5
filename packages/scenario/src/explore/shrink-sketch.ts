/**
 * Shrinking of a sketch: the smallest one that fails in the same way. The reverting steps are generated anew for each
 * candidate: a plan without them would fail without a bug of the cluster.
 */
import { isJsonObject, OperationError, type Json, type JsonObject } from "@orrery/stdx";
import type { Checkers } from "../checkers/compose.ts";
import { shorterList, smallerValues, type Reduction } from "../shrink/reductions.ts";
import { shrink, type Failure, type Shrunk } from "../shrink/shrink.ts";
import { repaired } from "./repair.ts";
import { writeSketch } from "./explorer.ts";
import type { Sketch } from "./sketch.ts";

export interface ShrinkSketchOptions {
  /** Runs a written plan; `undefined` if it passes. Throws if it is invalid. */
  readonly failureOf: (plan: JsonObject, seed: number) => Promise<Failure | undefined>;
  readonly isTimeUp: () => boolean;
  /** Table of checkers of the program that explores. */
  readonly checkers?: Checkers;
}

export interface ShrunkSketch extends Pick<Shrunk, "finding" | "seed" | "runs"> {
  readonly sketch: Sketch;
}

/**
 * Removes parts of a sketch as long as its plan fails the same way under some seed. `undefined` if the plan passes
 * under the given seed.
 */
export async function shrinkSketch(
  sketch: Sketch,
  seed: number,
  { failureOf, isTimeUp, checkers }: ShrinkSketchOptions,
): Promise<ShrunkSketch | undefined> {
  const words = checkers === undefined ? {} : { checkers };
  const shrunk = await shrink(sketch as unknown as JsonObject, seed, {
    failureOf: async (candidate, one) => {
      try {
        return await failureOf(writeSketch(sketchOf(candidate), words), one);
      } catch (error) {
        // A later step may refer to the removed part.
        if (error instanceof OperationError) return undefined;
        throw error;
      }
    },
    isTimeUp,
    steps: [
      { reduction: shorterList("faults") },
      { reduction: shorterList("blocks") },
      { reduction: shorterList("workload") },
      { reduction: fewerSteps },
      { reduction: fewerIndices },
      { reduction: fewerClusterNodes },
      { reduction: smallerValues("indices"), mustDoLess: true },
      { reduction: smallerValues("workload"), mustDoLess: true },
    ],
  });
  if (shrunk === undefined) return undefined;
  const { finding, runs } = shrunk;
  return { sketch: sketchOf(shrunk.plan), seed: shrunk.seed, finding, runs };
}

function sketchOf(candidate: JsonObject): Sketch {
  return repaired(candidate as unknown as Sketch);
}

const fewerSteps: Reduction = function* fewerSteps(sketch) {
  for (const [i, block] of listOf(sketch["blocks"]).entries()) {
    const steps = listOf(block["steps"]);
    for (const at of steps.keys())
      yield {
        ...sketch,
        blocks: replaced(sketch["blocks"], i, { ...block, steps: without(steps, at) }),
      };
  }
};

const fewerIndices: Reduction = function* fewerIndices(sketch) {
  const indices = listOf(sketch["indices"]);
  if (indices.length > 1)
    for (const at of indices.keys()) yield { ...sketch, indices: without(indices, at) };
};

const fewerClusterNodes: Reduction = function* fewerClusterNodes(sketch) {
  for (const [i, cluster] of listOf(sketch["clusters"]).entries()) {
    const nodes = listOf(cluster["nodes"]);
    if (nodes.length > 1)
      yield {
        ...sketch,
        clusters: replaced(sketch["clusters"], i, { ...cluster, nodes: nodes.slice(0, -1) }),
      };
  }
};

function listOf(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? (json as readonly Json[]).filter((one) => isJsonObject(one)) : [];
}

function replaced(list: Json | undefined, at: number, by: JsonObject): readonly Json[] {
  return listOf(list).map((one, i) => (i === at ? by : one));
}

function without(list: readonly JsonObject[], at: number): readonly Json[] {
  return list.filter((_, i) => i !== at);
}
