/** Repositories of the type `memory`: their blobs are in the memory of one node, which the setting `node` names. */
import type { Plugin } from "@orrery/node";
import { BlobError } from "@orrery/ports";
import { creationRefused, type RepositoryType } from "@orrery/repository";
import type { ShardPlugin } from "@orrery/shard-worker";
import { wordsOf } from "@orrery/stdx";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { remoteStore, serveStores } from "./remote-blobs.ts";

const ACTION = "internal:repository_memory/blobs";
const TIMEOUT_MS = 30_000;
const known: ReadonlySet<string> = new Set(["node", "location", "readonly", "compress"]);

const memory: RepositoryType = {
  type: "memory",
  isReadOnly: false,
  onNode: () => ({
    address({ name, type, texts }) {
      const unknown = Object.keys(texts).find((key) => !known.has(key));
      if (unknown !== undefined) throw creationRefused(name, `unknown setting [${unknown}]`);
      const { node, location = "" } = texts;
      if (node === undefined) throw creationRefused(name, "missing node");
      if (!/^[a-z0-9-]+$/.test(location))
        throw creationRefused(name, `location [${location}] is no name of a place in memory`);
      return { type, location, settings: { node } };
    },
    open: ({ location, settings: { node = "" } = {} }, { transport, nodes }) => {
      const failed = (why: string): Error => new BlobError("io", location, `[${location}]: ${why}`);
      return remoteStore(location, async (payload) => {
        const target = [...nodes()].find(({ name }) => name === node);
        if (target === undefined) throw failed(`node [${node}] is not in the cluster`);
        return transport
          .request(target.id, ACTION, payload, { timeoutMs: TIMEOUT_MS })
          .catch((error: unknown) => Promise.reject(failed(wordsOf(error))));
      });
    },
  }),
};

export const memoryOnShards: ShardPlugin = { name: "memory", repositoryTypes: [memory] };

export const memoryRepository: Plugin = {
  name: "repository-memory",
  description: "Snapshots in the memory of a node",
  classname: "test.plugins.MemoryRepositoryPlugin",
  shards: memoryOnShards,
  start({ transport }) {
    transport.handle(ACTION, serveStores(createMemoryBlobs()));
    return {};
  },
};
