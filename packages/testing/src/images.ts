/** Images of a cluster at rest: disk and store of each node, the repositories, and virtual time. */
import type { Simulation } from "@orrery/simulator";

/** The durable state of a cluster's nodes and repositories, opaque to tests. Its bytes are never changed. */
export interface ClusterImage {
  readonly nowMs: number;
  /** Number of the incarnation in which the image was taken. */
  readonly incarnation: number;
  /** Number of started shard copies. */
  readonly copies: number;
  readonly nodes: ReadonlyMap<string, NodeImage>;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

type Disk = ReturnType<ReturnType<Simulation["disk"]>["disk"]>;
type Store = ReturnType<ReturnType<Simulation["store"]>["store"]>;

interface NodeImage {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly stored: ReturnType<Store["load"]>;
}

const always = (): boolean => true;

/** Takes an image of the durable state of nodes and repositories; the cluster must be at rest. */
export function takeImage(
  simulation: Simulation,
  names: readonly string[],
): Omit<ClusterImage, "incarnation" | "copies"> {
  const nodes = names.map((name): [string, NodeImage] => {
    const disk = simulation.disk(name).disk(always);
    const files = filesBelow(disk, "").map((path): [string, Uint8Array] => [path, disk.read(path)]);
    return [name, { files: new Map(files), stored: simulation.store(name).store(always).load() }];
  });
  const blobs = new Map(simulation.blobs.contents("/"));
  return { nowMs: simulation.queue.nowMs, nodes: new Map(nodes), blobs };
}

/** Writes an image into a simulation that has not started. Everything is durable, and time goes on from that of the image. */
export async function writeImage(simulation: Simulation, image: ClusterImage): Promise<void> {
  const { queue } = simulation;
  await queue.run(image.nowMs);
  const writes: Promise<void>[] = [];
  for (const [name, { files, stored }] of image.nodes) {
    const disk = simulation.disk(name).disk(always);
    for (const [path, bytes] of files) disk.write(path, bytes);
    writes.push(disk.sync([...files.keys()]));
    const { hardState, snapshot, entries, values } = stored;
    writes.push(
      simulation
        .store(name)
        .store(always)
        .write({
          ...(hardState && { hardState }),
          ...(snapshot && { snapshot }),
          entries,
          values,
        }),
    );
  }
  const repositories = simulation.blobs
    .stores(always, () => undefined)
    .open({ type: "fs", location: "/" });
  for (const [path, bytes] of image.blobs) writes.push(repositories.write(path, bytes));
  let isWritten = false;
  const written = Promise.all(writes).then(() => (isWritten = true));
  await queue.run(image.nowMs + PATIENCE_MS, () => isWritten);
  if (!isWritten) throw new Error("the image could not be written");
  await written;
}

/** Limit of virtual time for these disk operations, which take milliseconds. */
const PATIENCE_MS = 60_000;

function filesBelow(disk: Disk, folder: string): readonly string[] {
  return disk.list(folder).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    const inside = filesBelow(disk, path);
    return inside.length === 0 ? [path] : inside;
  });
}
