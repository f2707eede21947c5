/** The random streams of a real run, one for each purpose. Their seed is random unless the settings give one. */
import { randomBytes } from "node:crypto";
import { createRandom, type Random } from "@orrery/stdx";

export function newSeed(): string {
  return randomBytes(16).toString("hex");
}

/**
 * Returns the function that gives the stream of a purpose. A second call for the same purpose gives the same stream, at
 * its present position.
 */
export function createRandomStreams(seed: string): (purpose: string) => Random {
  const streams = new Map<string, Random>();
  return (purpose) => {
    const stream = streams.get(purpose) ?? createRandom(`${seed}:${purpose}`);
    streams.set(purpose, stream);
    return stream;
  };
}
