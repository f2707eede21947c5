/** What a request leaves open: `${transport:node-1}` is the address where other nodes reach this one, which each world gives. */
import type { Json } from "@orrery/stdx";
import type { World } from "./world.ts";

const placeholder = /\$\{transport:([^}]*)\}/g;

export function fillPlaceholders(given: string, world: Pick<World, "transportAddress">): string {
  return given.replaceAll(placeholder, (_, node: string) => world.transportAddress(node));
}

/** The nodes that the text and the body name in this way. */
export function namedInPlaceholders(uri: string, body: Json | undefined): readonly string[] {
  return namesIn(uri, body, placeholder);
}

/** The nodes whose address is asked for, as `{address:node-1}`. */
export function addressesIn(uri: string, body: Json | undefined): readonly string[] {
  return namesIn(uri, body, /\{address:([^}]+)\}/g);
}

/** Values that earlier entries must have saved, as `/_dangling/{uuid}` has it. */
export function savedIn(uri: string): readonly string[] {
  return namesIn(uri, undefined, /(?<!\$)\{([\w-]+)\}/g);
}

function namesIn(uri: string, body: Json | undefined, what: RegExp): readonly string[] {
  const text = `${uri} ${body === undefined ? "" : JSON.stringify(body)}`;
  return [...text.matchAll(what)].map(([, name = ""]) => name);
}
