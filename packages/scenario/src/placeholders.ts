/** Placeholders in requests: `${transport:node-1}` is the node's transport address, which depends on the world. */
import type { Json } from "@orrery/stdx";
import type { World } from "./world.ts";

const placeholder = /\$\{transport:([^}]*)\}/g;

export function fillPlaceholders(given: string, world: Pick<World, "transportAddress">): string {
  return given.replaceAll(placeholder, (_, node: string) => world.transportAddress(node));
}

/** Nodes that the text and the body name by transport placeholders. */
export function namedInPlaceholders(uri: string, body: Json | undefined): readonly string[] {
  return namesIn(uri, body, placeholder);
}

/** Nodes whose address is requested with `{address:node-1}`. */
export function addressesIn(uri: string, body: Json | undefined): readonly string[] {
  return namesIn(uri, body, /\{address:([^}]+)\}/g);
}

/** Names that earlier entries must have saved, such as `uuid` in `/_dangling/{uuid}`. */
export function savedIn(uri: string): readonly string[] {
  return namesIn(uri, undefined, /(?<!\$)\{([\w-]+)\}/g);
}

function namesIn(uri: string, body: Json | undefined, what: RegExp): readonly string[] {
  const text = `${uri} ${body === undefined ? "" : JSON.stringify(body)}`;
  return [...text.matchAll(what)].map(([, name = ""]) => name);
}
