/** Chance for a real run: one stream for each purpose, from a seed nobody chose unless it was given. */
import { randomBytes } from "node:crypto";
import { createRandom, type Random } from "@orrery/stdx";

export function newSeed(): string {
  return randomBytes(16).toString("hex");
}

/** The same purpose gives the same stream. */
export function createRandomStreams(seed: string): (purpose: string) => Random {
  const streams = new Map<string, Random>();
  return (purpose) => {
    const stream = streams.get(purpose) ?? createRandom(`${seed}:${purpose}`);
    streams.set(purpose, stream);
    return stream;
  };
}
