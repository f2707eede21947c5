/** What a request leaves open: `${transport:node-1}` is the address where other nodes reach this one, which each world gives. */
import type { Json } from "@orrery/stdx";
import type { World } from "./world.ts";

const placeholder = /\$\{transport:([^}]*)\}/g;

export function fillPlaceholders(given: string, world: Pick<World, "transportAddress">): string {
  return given.replaceAll(placeholder, (_, node: string) => world.transportAddress(node));
}

/** The nodes that the text and the body name in this way. */
export function namedInPlaceholders(uri: string, body: Json | undefined): readonly string[] {
  const text = `${uri} ${body === undefined ? "" : JSON.stringify(body)}`;
  return [...text.matchAll(placeholder)].map(([, node = ""]) => node);
}
