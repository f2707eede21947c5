/**
 * Damage to the files of one of three nodes while it is down: after its restart every acknowledged document and setting
 * exists, on every copy, or the cluster reports the loss.
 *
 * Each shard has a copy on every node, so two copies remain intact and everything can heal.
 */
import type { Random } from "@orrery/stdx";
import type { Finding, Outcome } from "../target.ts";
import { createFileCluster, must, type FileCluster } from "./cluster.ts";
import { describeDamage, drawDamage, damaged, isSame, pickOf, type Damage } from "./damage.ts";

export interface ClusterCase {
  readonly kind: "cluster";
  /** Node whose files are damaged, and whether the other nodes stop with it. */
  readonly node: number;
  readonly areAllDown: boolean;
  /** Damages to shard files; `undefined`: only the node store rots. */
  readonly damages: readonly Damage[];
  /** Number of writes acknowledged while the node is down. */
  readonly writes: number;
}

export interface DiskCluster {
  run(given: ClusterCase): Promise<Outcome>;
  close(): void;
}

const HEAL_MS = 180_000;

export function drawClusterCase(random: Random): ClusterCase {
  const damages = random.int(0, 3);
  return {
    kind: "cluster",
    node: random.int(0, 2),
    areAllDown: random.int(0, 1) === 0,
    damages: Array.from({ length: damages === 3 ? 2 : damages }, () => drawDamage(random)),
    writes: random.int(0, 3),
  };
}

export function describeClusterCase({ node, areAllDown, damages, writes }: ClusterCase): string {
  const what = damages.length === 0 ? "its store rots" : damages.map(describeDamage).join(", ");
  return `node ${node + 1}${areAllDown ? ", all down" : ""}, ${writes} writes: ${what}`;
}

interface State {
  readonly cluster: FileCluster;
  /** Acknowledged values by document id. */
  readonly documents: Map<string, number>;
  /** Earlier contents of each node's files. */
  readonly older: Map<string, ReadonlyMap<string, Uint8Array>>;
  cases: number;
}

export async function openDiskCluster(seed: number): Promise<DiskCluster> {
  const cluster = await createFileCluster(seed, 3);
  const state: State = { cluster, documents: new Map(), older: new Map(), cases: 0 };
  const settings = { number_of_shards: 1, number_of_replicas: 2 };
  await must(cluster.ask("PUT", "/books", { settings }));
  for (let i = 0; i < 6; i += 1) await write(state, i % 3 === 0);
  await cluster.until(60_000, cluster.isGreen);
  for (const name of cluster.nodes) state.older.set(name, filesOf(cluster, name));
  for (let i = 0; i < 4; i += 1) await write(state, i % 2 === 0);
  return { run: (given) => run(state, given), close: () => cluster.simulation.end() };
}

async function write(state: State, flushes: boolean, node?: string): Promise<void> {
  const { cluster, documents } = state;
  const id = `d${documents.size % 40}`;
  const value = (documents.get(id) ?? 0) + 1;
  const answer = await cluster.ask("PUT", `/books/_doc/${id}`, { value }, node);
  if (answer.status === 200 || answer.status === 201) documents.set(id, value);
  if (flushes) await cluster.ask("POST", "/books/_flush", undefined, node);
}

function filesOf(cluster: FileCluster, name: string): ReadonlyMap<string, Uint8Array> {
  const disk = cluster.simulation.disk(name).disk(() => true);
  const found = new Map<string, Uint8Array>();
  const walk = (folder: string): void => {
    for (const entry of disk.list(folder)) {
      const path = folder === "" ? entry : `${folder}/${entry}`;
      if (disk.list(path).length > 0) walk(path);
      else if (disk.exists(path)) found.set(path, disk.read(path).slice());
    }
  };
  walk("");
  return found;
}

async function syncAll(cluster: FileCluster, name: string): Promise<void> {
  const disk = cluster.simulation.disk(name).disk(() => true);
  let isDurable = false;
  const paths = [...filesOf(cluster, name).keys()];
  void disk.sync(paths).then(() => (isDurable = true));
  await cluster.until(1000, () => isDurable);
}

/** Damages the files; returns a description, empty if nothing changed. */
async function damageFiles(
  state: State,
  name: string,
  damages: readonly Damage[],
): Promise<readonly string[]> {
  const { cluster, older } = state;
  const disk = cluster.simulation.disk(name).disk(() => true);
  const done: string[] = [];
  for (const one of damages) {
    const files = filesOf(cluster, name);
    const paths = [...files.keys()];
    const path = pickOf(paths, one.file);
    const bytes = files.get(path ?? "");
    if (path === undefined || bytes === undefined) continue;
    const alike = paths.filter((other) => other !== path && kindOf(other) === kindOf(path));
    const left = damaged(bytes, one, {
      older: older.get(name)?.get(path),
      other: files.get(pickOf(alike, one.at) ?? ""),
    });
    if (isSame(left, bytes)) continue;
    if (left === undefined) disk.remove(path);
    else disk.write(path, left);
    let isDurable = left === undefined;
    if (left !== undefined) void disk.sync([path]).then(() => (isDurable = true));
    await cluster.until(1000, () => isDurable);
    done.push(`${one.how} ${kindOf(path)}`);
  }
  return done;
}

/** Kind of a file: its path without parts that differ between runs. */
function kindOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return `${path.split("/").length}:${name.replaceAll(/[0-9a-z]*\d[0-9a-z]*/gi, "N")}`;
}

async function run(state: State, given: ClusterCase): Promise<Outcome> {
  const { cluster } = state;
  const { simulation, nodes } = cluster;
  const name = nodes[given.node] ?? "";
  const keeper = nodes[(given.node + 1) % nodes.length] ?? "";
  state.cases += 1;
  const down = given.areAllDown ? nodes : [name];
  if (given.areAllDown) {
    for (let i = 0; i < given.writes; i += 1) await write(state, i === 1, keeper);
  }
  if (given.damages.length === 0) {
    simulation.store(name).applyRule({ kind: "store-rot", node: name, bits: 1 });
  }
  // Killed, not crashed: written bytes survive a process, so that the damage is the only fault.
  for (const one of down) await syncAll(cluster, one);
  for (const one of down) simulation.crash(one);
  const done =
    given.damages.length === 0 ? ["store rots"] : await damageFiles(state, name, given.damages);
  if (!given.areAllDown) {
    await cluster.until(20_000, () => simulation.cluster(keeper)?.state().nodes.size === 2);
    for (let i = 0; i < given.writes; i += 1) await write(state, i === 1, keeper);
  }
  for (const one of down) {
    const reason = await cluster.start(one);
    if (reason !== undefined)
      return spent(`does not start: ${done.join(" + ")}`, `${one}: ${reason}`);
  }
  const isHealed = await cluster.until(HEAL_MS, cluster.isGreen);
  const finding = await judge(state, done.join(" + "), isHealed);
  return finding === undefined ? { isSpent: !isHealed } : { finding, isSpent: true };
}

function spent(cause: string, detail: string): Outcome {
  return { finding: { cause, detail }, isSpent: true };
}

async function judge(
  { cluster, documents }: State,
  done: string,
  isHealed: boolean,
): Promise<Finding | undefined> {
  if (!isHealed) {
    const { text } = await cluster.ask("GET", "/_cluster/health?timeout=5s");
    return { cause: `not healed: ${done}`, detail: text.slice(0, 400) };
  }
  await cluster.ask("POST", "/books/_refresh");
  for (const node of cluster.nodes) {
    const uri = "/books/_search?preference=_local&size=100";
    const { status, body, text } = await cluster.ask("GET", uri, undefined, node);
    const seen = new Map(hitsOf(body).map(({ _id, _source }) => [_id, _source.value]));
    const wrong = [...documents].find(([id, value]) => seen.get(id) !== value);
    if (status === 200 && wrong === undefined && seen.size === documents.size) continue;
    const what = wrong === undefined ? `${seen.size} documents` : wrong.join(" should be ");
    const detail = `${node}: ${status}, ${what} of ${documents.size}: ${text.slice(0, 200)}`;
    return { cause: `${status === 200 ? "silent loss" : "no search"}: ${done}`, detail };
  }
  return undefined;
}

interface Hit {
  readonly _id: string;
  readonly _source: { readonly value: number };
}

export function hitsOf(body: unknown): readonly Hit[] {
  const { hits } = body as { readonly hits?: { readonly hits?: readonly Hit[] } };
  return hits?.hits ?? [];
}

export function* shrinkClusterCase(given: ClusterCase): Iterable<ClusterCase> {
  if (given.writes > 0) yield { ...given, writes: 0 };
  if (given.areAllDown) yield { ...given, areAllDown: false };
  if (given.damages.length > 1) for (const one of given.damages) yield { ...given, damages: [one] };
}
