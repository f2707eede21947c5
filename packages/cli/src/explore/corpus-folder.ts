/**
 * Corpus stored as a folder: one file for each plan, named by a hash of its content, so that several explorations may
 * share the folder.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSketch, type MomentCounts, type Specimen } from "@orrery/scenario";
import { isJsonObject, type Json } from "@orrery/stdx";
import { lab } from "../lab.ts";
import { writeAtomically } from "../atomic-file.ts";

const SUFFIX = ".json";

export interface StoredCorpus {
  readonly specimens: readonly Specimen[];
  /** Files without a plan that this program can run. */
  readonly skipped: readonly string[];
}

/** Reads all plans of a corpus folder, which must exist. */
export function readCorpus(folder: string): StoredCorpus {
  const specimens: Specimen[] = [];
  const skipped: string[] = [];
  const files = readdirSync(folder).filter((file) => file.endsWith(SUFFIX));
  for (const file of files.toSorted()) {
    const specimen = specimenOf(readFileSync(join(folder, file), "utf8"));
    if (specimen === undefined) skipped.push(file);
    else specimens.push(specimen);
  }
  return { specimens, skipped };
}

function specimenOf(text: string): Specimen | undefined {
  const json = parsed(text);
  if (!isJsonObject(json)) return undefined;
  const { sketch: written, seed, tuples, events, came } = json;
  const sketch = written === undefined ? undefined : readSketch(written, lab);
  const isWhole = typeof seed === "number" && typeof events === "number" && Array.isArray(tuples);
  if (sketch === undefined || !isWhole) return undefined;
  return { sketch, seed, tuples: tuples.map(String), events, came: countsOf(came) };
}

/** Counts of moments; empty for a corpus of a version that did not count them. */
function countsOf(json: Json | undefined): MomentCounts {
  if (!isJsonObject(json)) return {};
  return Object.fromEntries(Object.entries(json).map(([key, count]) => [key, Number(count)]));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes the plans; existing files are kept. */
export function writeCorpus(folder: string, specimens: readonly Specimen[]): void {
  const there = new Set(readdirSync(folder));
  for (const specimen of specimens) {
    const text = JSON.stringify(specimen);
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, 16)}${SUFFIX}`;
    if (!there.has(name)) writeAtomically(join(folder, name), text);
  }
}
