/** A corpus as a folder: a file for each plan, named by what is in it, so that several explorations may share one. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSketch, type Specimen } from "@orrery/scenario";
import type { Json } from "@orrery/stdx";
import { plugins } from "../plugins.ts";
import { writeWhole } from "../write-whole.ts";

const SUFFIX = ".json";

/** What this program can run of it. */
export function readCorpus(folder: string): readonly Specimen[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(SUFFIX));
  return files.toSorted().flatMap((file): readonly Specimen[] => {
    const specimen = parsed(readFileSync(join(folder, file), "utf8"));
    const sketch =
      specimen === undefined ? undefined : readSketch(specimen.sketch as unknown as Json, plugins);
    return specimen === undefined || sketch === undefined ? [] : [{ ...specimen, sketch }];
  });
}

function parsed(text: string): Specimen | undefined {
  try {
    const { sketch, seed, tuples, events } = JSON.parse(text) as Specimen;
    return Array.isArray(tuples) && typeof seed === "number" && typeof events === "number"
      ? { sketch, seed, tuples, events }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What is there already stays. */
export function writeCorpus(folder: string, specimens: readonly Specimen[]): void {
  const there = new Set(readdirSync(folder));
  for (const specimen of specimens) {
    const text = JSON.stringify(specimen);
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, 16)}${SUFFIX}`;
    if (!there.has(name)) writeWhole(join(folder, name), text);
  }
}
