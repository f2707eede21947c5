/** Names in place of ids: nodes, indices and copies have ids that no reader of a report knows. */
import type { RecordedEvent } from "../types.ts";

export interface Names {
  learn(event: RecordedEvent): void;
  /** The text with known ids replaced. */
  named(text: string): string;
}

/** Form of an id: 20 or 22 characters of Base64 for URLs. */
const ID = /[\w-]{20,22}/g;

export function createNames(): Names {
  const names = new Map<string, string>();
  return {
    learn: (event) => {
      const { node } = event;
      const fields = new Map<string, unknown>(Object.entries(event));
      const text = (key: string): string | undefined => {
        const value = fields.get(key);
        return typeof value === "string" && value !== "" ? value : undefined;
      };
      const [nodeId, uuid, index] = [text("nodeId"), text("indexUuid"), text("index")];
      if (nodeId !== undefined && node !== "") names.set(nodeId, node);
      if (uuid !== undefined && index !== undefined) names.set(uuid, index);
      const copy = event.kind === "shard-state-changed" ? event.allocationId : undefined;
      if (copy !== undefined) names.set(copy, `the copy on ${node}`);
    },
    named: (given) => given.replaceAll(ID, (id) => names.get(id) ?? id),
  };
}
