/**
 * Generator of whole sketches: each draws a subset of the kinds of faults, actions and clients, so that plans also
 * differ in what they lack.
 */
import type { Random } from "@orrery/stdx";
import { faultKinds, faults } from "../faults/table.ts";
import type { FaultKind } from "../faults/fault.ts";
import { workloadKinds } from "../workloads/table.ts";
import type { ActionKind } from "./actions/action.ts";
import { actionKinds, actions } from "./actions/table.ts";
import type { MomentCounts } from "./moments.ts";
import { drawBlock, drawFaultBlock, drawTimedFault, drawWorkload } from "./parts.ts";
import { repaired } from "./repair.ts";
import { areas, createScene, type Area, type Scene } from "./scene.ts";
import type { Block, Sketch } from "./sketch.ts";
import { drawTopology } from "./topology.ts";

/** Draws a sketch; `only` fixes its area. */
export function drawSketch(random: Random, only?: Area): Sketch {
  const area = only ?? random.pick(areas);
  const disturbMs = random.int(1500, 6000);
  const scene = createScene({ random, area, disturbMs, ...drawTopology(random, area) });
  const { clusters, indices } = scene;
  const kinds = swarm(random, drawnFaults(scene), 6);
  const listed = times(random, kinds, 4, (kind) => drawTimedFault(scene, kind));
  return repaired({
    area,
    clusters,
    indices,
    workload: drawClients(scene),
    faults: listed,
    blocks: [
      ...times(random, kinds, 2, (kind) => drawFaultBlock(scene, kind)),
      ...times(random, swarm(random, drawnActions(area), 5), 5, (kind) => drawBlock(scene, kind)),
    ],
    disturbMs,
  });
}

/** Draws the kinds of faults. One plan of eight may lose something permanently, as such plans leave less to judge. */
export function drawnFaults(scene: Scene): readonly FaultKind[] {
  const isLossy = scene.chance(125);
  return faultKinds.filter((kind) => isLossy || (faults[kind].casualties ?? []).length === 0);
}

export function drawnActions(area: Area): readonly ActionKind[] {
  return actionKinds.filter((kind) => actions[kind].areas.includes(area));
}

/** Draws the workload; almost all plans have clients that write. */
function drawClients(scene: Scene): Sketch["workload"] {
  const { random } = scene;
  const first = random.pick(["bulk", "registers"] as const);
  const others = times(random, workloadKinds, 2, (kind) => drawWorkload(scene, kind));
  return [drawWorkload(scene, first) ?? [], others].flat();
}

/** Random subset; each size is equally likely. */
function swarm<Kind>(random: Random, kinds: readonly Kind[], most: number): readonly Kind[] {
  return random.shuffle(kinds).slice(0, random.int(1, most));
}

function times<Kind, Part extends object>(
  random: Random,
  kinds: readonly Kind[],
  most: number,
  draw: (kind: Kind) => Part | undefined,
): readonly Part[] {
  return Array.from({ length: random.int(0, most) }, () => draw(random.pick(kinds))).filter(
    (part) => part !== undefined,
  );
}

/** Scene of an existing sketch, for drawing one more part of it. */
export function sceneOf(
  random: Random,
  { area, clusters, indices, disturbMs }: Sketch,
  came: MomentCounts,
): Scene {
  return createScene({ random, area, clusters, indices, disturbMs, came });
}

/** Draws one more block, of any kind that fits its area; `undefined` if none does. */
export function drawAnyBlock(scene: Scene): Block | undefined {
  if (scene.chance(500)) return drawFaultBlock(scene, scene.random.pick(drawnFaults(scene)));
  return drawBlock(scene, scene.random.pick(drawnActions(scene.area)));
}
