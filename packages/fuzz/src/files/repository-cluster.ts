/**
 * Damage to the blobs of a repository: a restore returns exactly the content of the snapshot, or is rejected, or
 * reports its failure; the list of snapshots is complete, or an error.
 */
import type { Random } from "@orrery/stdx";
import type { Finding, Outcome } from "../target.ts";
import { createFileCluster, must, type Answer, type FileCluster } from "./cluster.ts";
import { hitsOf } from "./disk-cluster.ts";
import { describeDamage, drawDamage, damaged, isSame, pickOf, type Damage } from "./damage.ts";

const operations = ["restore", "list", "status", "snapshot", "delete", "verify", "clean"] as const;

export interface RepositoryCase {
  readonly damages: readonly Damage[];
  readonly operation: (typeof operations)[number];
  /** Index of the snapshot that is restored. */
  readonly snapshot: number;
}

export interface RepositoryCluster {
  run(given: RepositoryCase): Promise<Outcome>;
  close(): void;
}

const LOCATION = "/repositories/backup";
const HEAL_MS = 60_000;
/** Words of the implementation language, which must not appear in a response. */
const SCRIPT_TEXT =
  /TypeError|RangeError|AssertionError|SyntaxError|\[object |undefined is|is not a function/;

export function drawRepositoryCase(random: Random): RepositoryCase {
  return {
    damages: Array.from({ length: random.int(1, 2) }, () => drawDamage(random)),
    operation: random.int(0, 1) === 0 ? "restore" : random.pick(operations),
    snapshot: random.int(0, 2),
  };
}

export function describeRepositoryCase({ damages, operation, snapshot }: RepositoryCase): string {
  return `${operation} of snap-${snapshot + 1} after ${damages.map(describeDamage).join(", ")}`;
}

export function* shrinkRepositoryCase(given: RepositoryCase): Iterable<RepositoryCase> {
  if (given.damages.length > 1) for (const one of given.damages) yield { ...given, damages: [one] };
  if (given.snapshot > 0) yield { ...given, snapshot: 0 };
}

type Documents = ReadonlyMap<string, number>;
type Blobs = ReadonlyMap<string, Uint8Array>;

interface State {
  readonly cluster: FileCluster;
  /** Contents of each snapshot. */
  readonly kept: ReadonlyMap<string, Documents>;
  readonly blobs: Blobs;
  readonly older: Blobs;
  restored: number;
}

export async function openRepositoryCluster(
  seed: number,
  nodes: number,
): Promise<RepositoryCluster> {
  const cluster = await createFileCluster(seed, nodes);
  const { ask, simulation } = cluster;
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await must(ask("PUT", "/books", { settings }));
  const repository = { type: "fs", settings: { location: LOCATION } };
  await must(ask("PUT", "/_snapshot/backup", repository));
  const kept = new Map<string, Documents>();
  const documents = new Map<string, number>();
  let older: Blobs = new Map();
  for (let turn = 1; turn <= 3; turn += 1) {
    for (let i = 0; i < 5; i += 1) {
      const id = `d${(turn * 3 + i) % 9}`;
      await must(ask("PUT", `/books/_doc/${id}`, { value: turn }));
      documents.set(id, turn);
    }
    await must(
      ask("PUT", `/_snapshot/backup/snap-${turn}?wait_for_completion=true`, { indices: "books" }),
    );
    kept.set(`snap-${turn}`, new Map(documents));
    if (turn === 2) older = copied(simulation.blobs.contents(LOCATION));
  }
  const blobs = copied(simulation.blobs.contents(LOCATION));
  const state: State = { cluster, kept, blobs, older, restored: 0 };
  return { run: (given) => run(state, given), close: () => simulation.end() };
}

function copied(blobs: Blobs): Blobs {
  return new Map([...blobs].map(([path, bytes]) => [path, bytes.slice()]));
}

async function run(state: State, given: RepositoryCase): Promise<Outcome> {
  const { operation } = given;
  const done = await damageBlobs(state, given.damages);
  const finding = await operate(state, given, done);
  const changes = operation === "snapshot" || operation === "delete" || operation === "clean";
  if (finding !== undefined) return { finding, isSpent: true };
  if (changes) return { isSpent: true };
  await restoreBlobs(state);
  return {};
}

async function damageBlobs(state: State, damages: readonly Damage[]): Promise<string> {
  const done: string[] = [];
  for (const one of damages) {
    const paths = [...state.blobs.keys()].toSorted();
    const path = pickOf(paths, one.file) ?? "";
    const bytes = state.blobs.get(path) ?? new Uint8Array(0);
    const alike = paths.filter((other) => other !== path && kindOf(other) === kindOf(path));
    const left = damaged(bytes, one, {
      older: state.older.get(path),
      other: state.blobs.get(pickOf(alike, one.at) ?? ""),
    });
    if (isSame(left, bytes)) continue;
    await put(state, path, left);
    done.push(`${one.how} ${kindOf(path)}`);
  }
  return done.join(" + ");
}

/** Kind of a blob: its path without parts that differ between runs. */
function kindOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const known = /^(index\.latest|index-|snap-|meta-|__)/.exec(name)?.[1] ?? name;
  return `${path.split("/").length}:${known}`;
}

async function put({ cluster }: State, path: string, bytes: Uint8Array | undefined): Promise<void> {
  const store = cluster.simulation.blobs
    .stores(
      () => true,
      () => undefined,
    )
    .open({ type: "fs", location: LOCATION });
  let isDone = false;
  const change =
    bytes === undefined ? store.remove([path]) : store.write(path, bytes, { replace: true });
  void change.then(() => (isDone = true));
  await cluster.until(60_000, () => isDone);
}

/** Restores every blob, so that the next case starts with an intact repository. */
async function restoreBlobs(state: State): Promise<void> {
  const found = state.cluster.simulation.blobs.contents(LOCATION);
  for (const [path, bytes] of state.blobs) {
    if (!isSame(found.get(path), bytes)) await put(state, path, bytes);
  }
  for (const path of [...found.keys()])
    if (!state.blobs.has(path)) await put(state, path, undefined);
}

async function operate(
  state: State,
  { operation, snapshot }: RepositoryCase,
  done: string,
): Promise<Finding | undefined> {
  const { ask } = state.cluster;
  const name = `snap-${snapshot + 1}`;
  const about = `${operation} after ${done}`;
  const plain = (answer: Answer): Finding | undefined => plainly(answer, about);
  switch (operation) {
    case "restore":
      return restore(state, name, state.kept.get(name) ?? new Map(), about);
    case "list":
      return judgeList(await ask("GET", "/_snapshot/backup/_all"), about);
    case "status":
      return plain(await ask("GET", `/_snapshot/backup/${name}/_status`));
    case "verify":
      return plain(await ask("POST", "/_snapshot/backup/_verify"));
    case "clean":
      return (
        plain(await ask("POST", "/_snapshot/backup/_cleanup")) ??
        restore(state, name, state.kept.get(name) ?? new Map(), about)
      );
    case "delete": {
      const other = `snap-${((snapshot + 1) % 3) + 1}`;
      return (
        plain(await ask("DELETE", `/_snapshot/backup/${name}`)) ??
        restore(state, other, state.kept.get(other) ?? new Map(), about)
      );
    }
    case "snapshot": {
      const made = await ask("PUT", "/_snapshot/backup/snap-4?wait_for_completion=true", {
        indices: "books",
      });
      if (made.status !== 200) return plain(made);
      return restore(state, "snap-4", state.kept.get("snap-3") ?? new Map(), about);
    }
  }
}

function plainly({ status, text }: Answer, about: string): Finding | undefined {
  if (status === 0) return { cause: `hang: ${about}`, detail: text };
  if (!SCRIPT_TEXT.test(text)) return undefined;
  return { cause: `js-text: ${about}`, detail: `${status}: ${text.slice(0, 400)}` };
}

function judgeList(answer: Answer, about: string): Finding | undefined {
  const wrong = plainly(answer, about);
  if (wrong !== undefined || answer.status !== 200) return wrong;
  const { snapshots = [] } = answer.body as { readonly snapshots?: readonly unknown[] };
  if (snapshots.length === 3) return undefined;
  return { cause: `silent loss: ${about}`, detail: `${snapshots.length} of 3 snapshots` };
}

/** Restores a snapshot; it must equal the content, or report a failure. */
async function restore(
  state: State,
  snapshot: string,
  kept: Documents,
  about: string,
): Promise<Finding | undefined> {
  const { cluster } = state;
  const { ask } = cluster;
  state.restored += 1;
  const index = `restored-${state.restored}`;
  const body = { indices: "books", rename_pattern: "books", rename_replacement: index };
  const answer = await ask("POST", `/_snapshot/backup/${snapshot}/_restore`, body);
  const wrong = plainly(answer, about);
  if (wrong !== undefined || answer.status !== 200) return wrong;
  await cluster.until(HEAL_MS, cluster.isGreen);
  const health = await ask("GET", `/_cluster/health/${index}`);
  let finding = plainly(health, about);
  if (health.body["status"] === "green") {
    finding ??= await compare(state, index, kept, about);
  }
  const explained = await ask("GET", "/_cat/shards?format=json");
  finding ??= plainly(explained, about);
  const removed = await ask("DELETE", `/${index}`);
  return finding ?? plainly(removed, about);
}

async function compare(
  { cluster }: State,
  index: string,
  kept: Documents,
  about: string,
): Promise<Finding | undefined> {
  const found = await cluster.ask("GET", `/${index}/_search?size=100`);
  const seen = new Map(hitsOf(found.body).map(({ _id, _source }) => [_id, _source.value]));
  const isExact =
    seen.size === kept.size && [...kept].every(([id, value]) => seen.get(id) === value);
  if (found.status === 200 && isExact) return undefined;
  const detail = `green, and ${found.status}: ${JSON.stringify([...seen])} in place of ${JSON.stringify([...kept])}: ${found.text.slice(0, 200)}`;
  return { cause: `silent loss: ${about}`, detail };
}
