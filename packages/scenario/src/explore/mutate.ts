/** Mutations of sketches: a part is added, removed, moved to another node or time, or copied from another sketch. */
import type { Random } from "@orrery/stdx";
import { rowOf } from "../faults/table.ts";
import type { TimedFault } from "../plan.ts";
import { workloadKinds } from "../workloads/table.ts";
import { drawAnyBlock, drawnFaults, sceneOf } from "./draw-sketch.ts";
import { drawMoment, timesCame, type MomentCounts } from "./moments.ts";
import { drawFault, drawTimedFault, drawTrigger, drawWorkload, lengthOf } from "./parts.ts";
import { repaired } from "./repair.ts";
import type { Scene } from "./scene.ts";
import type { Block, Sketch } from "./sketch.ts";
import { drawTopology } from "./topology.ts";

/** `scene`: scene of the sketch, with the moments of its run; `other`: sketch that parts are copied from. */
type Mutation = (sketch: Sketch, scene: Scene, other: Sketch) => Sketch;

/** Mutations, drawn with equal probability. */
const mutations: Readonly<Record<string, Mutation>> = {
  "insert-fault": (sketch, scene) => {
    const fault = drawTimedFault(scene, scene.random.pick(drawnFaults(scene)));
    return fault === undefined ? sketch : { ...sketch, faults: [...sketch.faults, fault] };
  },
  "insert-block": (sketch, scene) => withBlocks(sketch, [drawAnyBlock(scene) ?? []].flat()),
  "delete-fault": (sketch, { random }) => ({ ...sketch, faults: without(sketch.faults, random) }),
  "delete-block": (sketch, { random }) => ({ ...sketch, blocks: without(sketch.blocks, random) }),
  "delete-half": (sketch, { random }) => ({
    ...sketch,
    faults: sketch.faults.filter(() => random.int(0, 1) === 0),
    blocks: sketch.blocks.filter(() => random.int(0, 1) === 0),
  }),
  splice: (sketch, { random }, other) => {
    const cut = random.int(0, other.disturbMs);
    const isLater = (timed: TimedFault | Block): boolean =>
      !("atMs" in timed.trigger) || timed.trigger.atMs >= cut;
    return {
      ...sketch,
      faults: [
        ...sketch.faults.filter((one) => !isLater(one)),
        ...other.faults.filter(isLater),
      ].slice(0, MOST),
      blocks: [
        ...sketch.blocks.filter((one) => !isLater(one)),
        ...other.blocks.filter(isLater),
      ].slice(0, MOST),
    };
  },
  adopt: (sketch, { random }, other) =>
    other.blocks.length === 0 ? sketch : withBlocks(sketch, [random.pick(other.blocks)]),
  retarget: (sketch, scene) =>
    changed(sketch, scene.random, (timed) => {
      const fault = drawFault(scene, timed.fault.kind);
      return fault === undefined ? timed : { ...timed, fault };
    }),
  "move-fault": (sketch, scene) =>
    changed(sketch, scene.random, ({ fault }) => ({
      trigger: drawTrigger(scene, (rowOf(fault).casualties ?? []).length === 0),
      ...lengthOf(scene, fault),
      fault,
    })),
  "fault-at-a-moment": (sketch, scene) => {
    const [timed, ...rest] = scene.random.shuffle(sketch.faults);
    if (timed === undefined) return sketch;
    const { forMs, fault } = timed;
    const step = { kind: "fault", fault, ...(forMs === undefined ? {} : { forMs }) } as const;
    const block: Block = { kind: "fault", trigger: drawMoment(scene), steps: [step] };
    return withBlocks({ ...sketch, faults: rest }, [block]);
  },
  "move-block": (sketch, scene) =>
    withBlock(sketch, scene.random, (block) => ({
      ...block,
      trigger: scene.chance(500) ? drawMoment(scene) : drawTrigger(scene, block.steps.length === 1),
    })),
  /** Moves blocks whose moment did not occur. */
  "move-idle-blocks": (sketch, scene) => ({
    ...sketch,
    blocks: sketch.blocks.map((block) =>
      isIdle(block, scene.came) ? { ...block, trigger: drawMoment(scene) } : block,
    ),
  }),
  "change-gaps": (sketch, { random }) => {
    const by = random.pick([0.25, 0.5, 0.9, 1.1, 2, 4]);
    return withBlock(sketch, random, (block) => ({
      ...block,
      steps: block.steps.map((step) =>
        step.kind === "wait" ? { ...step, forMs: Math.max(1, Math.round(step.forMs * by)) } : step,
      ),
    }));
  },
  "change-clients": (sketch, scene) => {
    const drawn = drawWorkload(scene, scene.random.pick(workloadKinds));
    const [, ...rest] = scene.random.shuffle(sketch.workload);
    return { ...sketch, workload: [...rest, ...(drawn === undefined ? [] : [drawn])] };
  },
  topology: (sketch, { random }) => {
    const { clusters, indices } = drawTopology(random, sketch.area);
    return random.int(0, 1) === 0 ? { ...sketch, clusters, indices } : { ...sketch, indices };
  },
  /** The same sketch; the trial draws another seed. */
  reseed: (sketch) => sketch,
};

const MOST = 12;

/** Sketch to mutate, with the moments of its run. */
export interface Parent {
  readonly sketch: Sketch;
  readonly came: MomentCounts;
}

/** Copy of a sketch with one to four changes, repaired after each, as a mutation relies on valid names. */
export function mutated({ sketch, came }: Parent, random: Random, other: Sketch): Sketch {
  let child = sketch;
  for (let i = random.pick([1, 1, 2, 2, 3, 4]); i > 0; i -= 1) {
    const mutation = random.pick(Object.values(mutations));
    child = repaired(mutation(child, sceneOf(random, child, came), other));
  }
  return child;
}

function isIdle({ trigger }: Block, came: MomentCounts = {}): boolean {
  if (trigger.kind !== "when") return false;
  const times = timesCame(trigger, came);
  return times !== undefined && times < (trigger.condition.count ?? 1);
}

function withBlocks(sketch: Sketch, blocks: readonly Block[]): Sketch {
  return { ...sketch, blocks: [...sketch.blocks, ...blocks].slice(-MOST) };
}

function without<Part>(parts: readonly Part[], random: Random): readonly Part[] {
  const gone = random.int(0, Math.max(0, parts.length - 1));
  return parts.filter((_, i) => i !== gone);
}

function changed(
  sketch: Sketch,
  random: Random,
  change: (timed: TimedFault) => TimedFault,
): Sketch {
  const which = random.int(0, Math.max(0, sketch.faults.length - 1));
  return { ...sketch, faults: sketch.faults.map((one, i) => (i === which ? change(one) : one)) };
}

function withBlock(sketch: Sketch, random: Random, change: (block: Block) => Block): Sketch {
  const which = random.int(0, Math.max(0, sketch.blocks.length - 1));
  return { ...sketch, blocks: sketch.blocks.map((one, i) => (i === which ? change(one) : one)) };
}
