/**
 * Damage to the files of a node store between two starts: all acknowledged data is there, or the loss is reported and
 * the store starts over.
 *
 * A session writes one history into a real folder and keeps the files of each commit, as a killed process leaves them.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredNode } from "@orrery/ports";
import { OperationError, type Random } from "@orrery/stdx";
import { openNodeStore } from "@orrery/storage";
import type { Finding, Outcome } from "../target.ts";
import { drawDamage, damaged, pickOf, type Damage, type Versions } from "./damage.ts";

export interface StoreCase {
  readonly kind: "store";
  /** Commit after which the node was killed, in millionths of all commits. */
  readonly killed: number;
  readonly damage: Damage;
}

export interface StoreFiles {
  run(given: StoreCase): Outcome;
  close(): void;
}

type Files = ReadonlyMap<string, Uint8Array>;

interface Moment {
  readonly files: Files;
  readonly acknowledged: string;
}

export function drawStoreCase(random: Random): StoreCase {
  return { kind: "store", killed: random.int(0, 999_999), damage: drawDamage(random) };
}

export async function openStoreFiles(random: Random): Promise<StoreFiles> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-fuzz-"));
  const mine = await history(join(folder, "mine"), random);
  const other = await history(join(folder, "other"), random);
  const place = join(folder, "damaged");
  return {
    run: (given) => {
      const finding = judge(place, mine, other, given);
      return finding === undefined ? {} : { finding };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes entries, votes, snapshots and compactions as a node does; returns the files after each commit. */
async function history(folder: string, random: Random): Promise<readonly Moment[]> {
  const store = openNodeStore(join(folder, "node.sqlite"));
  const bytes = (most: number): Uint8Array =>
    Uint8Array.from({ length: random.int(1, most) }, () => random.int(0, 255));
  const moments: Moment[] = [];
  const keep = (): void => {
    moments.push({ files: filesIn(folder), acknowledged: contentsOf(store.load()) });
  };
  const id = new Map([["node_id", bytes(22)]]);
  await store.write({ values: id });
  keep();
  let index = 0;
  for (let commit = 0; commit < 12; commit += 1) {
    const entries = Array.from({ length: random.int(0, 3) }, () => {
      index += 1;
      return { index, term: 1 + Math.floor(commit / 4), bytes: bytes(900) };
    });
    await store.write({
      hardState: bytes(12),
      ...(entries.length > 0 ? { entries } : {}),
      ...(commit % 5 === 4 ? { snapshot: bytes(5000), compactTo: index - 2 } : {}),
    });
    keep();
  }
  store.close();
  moments.push({ files: filesIn(folder), acknowledged: moments.at(-1)?.acknowledged ?? "" });
  return moments;
}

function filesIn(folder: string): Files {
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
}

function contentsOf({ hardState, snapshot, entries, values }: StoredNode): string {
  return JSON.stringify([hardState, snapshot, entries, [...values]]);
}

function judge(
  place: string,
  mine: readonly Moment[],
  other: readonly Moment[],
  { killed, damage }: StoreCase,
): Finding | undefined {
  const moment = pickOf(mine, killed);
  const before = pickOf(mine, Math.floor(killed / 2));
  const name = pickOf([...(moment?.files.keys() ?? [])], damage.file);
  if (moment === undefined || name === undefined) return undefined;
  const versions = {
    older: before?.files.get(name),
    other: pickOf(other, killed)?.files.get(name),
  };
  writeFiles(place, moment.files, name, damage, versions);
  const first = open(place);
  const second = open(place);
  const about = `${name}: ${damage.how}`;
  const seen = `${about}; opened: ${first.verdict}, again: ${second.verdict}`;
  if (first.verdict === "crashed" || second.verdict === "crashed") {
    return { cause: `crash: ${about}`, detail: `${seen}: ${first.detail} ${second.detail}` };
  }
  for (const { verdict, contents } of [first, second]) {
    if (verdict !== "whole" || contents === moment.acknowledged) continue;
    return { cause: `silent loss: ${about}`, detail: seen };
  }
  if (first.verdict === "whole" && second.verdict !== "whole") {
    return { cause: `flapping: ${about}`, detail: seen };
  }
  return undefined;
}

function writeFiles(
  place: string,
  files: Files,
  name: string,
  damage: Damage,
  versions: Versions,
): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [file, bytes] of files) {
    const left = file === name ? damaged(bytes, damage, versions) : bytes;
    if (left !== undefined) writeFileSync(join(place, file), left);
  }
}

interface Opened {
  readonly verdict: "whole" | "told" | "refused" | "crashed";
  readonly contents: string;
  readonly detail: string;
}

function open(place: string): Opened {
  try {
    const store = openNodeStore(join(place, "node.sqlite"));
    try {
      const stored = store.load();
      const { loss } = stored;
      const verdict = loss === undefined ? "whole" : "told";
      return { verdict, contents: contentsOf(stored), detail: loss ?? "" };
    } finally {
      store.close();
    }
  } catch (error) {
    const verdict = error instanceof OperationError ? "refused" : "crashed";
    return { verdict, contents: "", detail: String(error) };
  }
}
