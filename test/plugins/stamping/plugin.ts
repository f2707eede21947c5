/**
 * Documents that are stamped on their way in, as a plugin: the processor `look_up` fetches a value from somewhere and puts it into a field,
 * and a hook on the primary refuses documents that carry the mark `forbidden`, and notes in the others the index that took them. See
 * docs/reference/plugins.md.
 */
import { printTree, readMap, type ProcessorType, type Verdict } from "@orrery/ingest";
import type { Plugin } from "@orrery/node";
import type { RequestContext } from "@orrery/ports";
import type { ShardPlugin } from "@orrery/shard-worker";
import { lookup, OperationError, setKey, utf8Encode } from "@orrery/stdx";

export type LookUp = (key: string, context: RequestContext) => Promise<string>;

function lookUpProcessor(lookUp: LookUp): ProcessorType {
  return {
    type: "look_up",
    create(options) {
      const key = options.template("key");
      const target = options.template("target_field");
      return {
        async process(document, { context }): Promise<Verdict> {
          const value = await lookUp(key.render(document), context);
          document.set(target.render(document), value);
          return "kept";
        },
      };
    },
  };
}

/** For shard workers. */
export const stampingOnShards: ShardPlugin = {
  name: "stamping",
  index({ index }, { id, source }) {
    const document = readMap(source);
    if (lookup(document, "forbidden") !== undefined) {
      const reason = `[${id}] is forbidden`;
      throw new OperationError({ type: "security_exception", reason, status: 403 });
    }
    setKey(document, "taken_by", index);
    return utf8Encode(printTree(document));
  },
};

export function stamping(lookUp: LookUp): Plugin {
  return {
    name: "stamping",
    description: "Stamps documents",
    classname: "org.example.StampingPlugin",
    processors: [lookUpProcessor(lookUp)],
    shards: stampingOnShards,
  };
}
