/** Repository types as rows: what a node reads of them, opens with them, and refuses. */
import { BlobError, type BlobAddress, type BlobStore, type BlobStores } from "@orrery/ports";
import { AssertionError, OperationError, type NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  composeRepositoryTypes,
  coreRepositoryTypes,
  createNodeRepositories,
  creationRefused,
  type NodeSettings,
  type RepositoryType,
  type RepositoryWorld,
} from "../src/index.ts";

const empty: BlobStore = {
  list: async () => [],
  folders: async () => [],
  read: async (path) => Promise.reject(new BlobError("missing", path, path)),
  write: async () => undefined,
  remove: async () => undefined,
  removeFolder: async () => ({ blobs: 0, bytes: 0 }),
};

/** A world that opens these types of address, and says which it opened. */
function worldOf(types: readonly string[]) {
  const opened: BlobAddress[] = [];
  const blobs: BlobStores = {
    types,
    open: (address) => {
      opened.push(address);
      return empty;
    },
  };
  const world: RepositoryWorld = {
    blobs,
    transport: { request: async () => new Uint8Array() },
    nodes: () => [{ id: "a" as NodeId, name: "node-a" }],
  };
  return { world, opened };
}

/** In buckets; the node may say where buckets are, and which of them it never opens. */
const bucket: RepositoryType = {
  type: "bucket",
  isReadOnly: false,
  onNode: ({ "bucket.server": server = "near", "bucket.forbidden": forbidden }) => ({
    address: ({ name, type, texts }) => {
      const { bucket: wanted } = texts;
      if (wanted === undefined) throw creationRefused(name, "missing bucket");
      return { type, location: `${String(server)}/${wanted}` };
    },
    chunkBytes: () => 5,
    admit: (name, address) => {
      if (address.location !== forbidden) return { ...address, location: `//${address.location}` };
      throw creationRefused(name, `bucket [${address.location}] is forbidden`);
    },
  }),
};

const nodeWith = (
  row: RepositoryType,
  {
    settings = {},
    types = ["fs", "url", "bucket"],
  }: { settings?: NodeSettings; types?: string[] } = {},
) => {
  const { world, opened } = worldOf(types);
  const repositories = createNodeRepositories({
    types: composeRepositoryTypes([...coreRepositoryTypes, row]),
    settings,
    world,
  });
  return { repositories, opened, world };
};

const definition = { name: "r", type: "bucket", settings: { bucket: "b" } };

function reasonOf(attempt: () => unknown): string | null | undefined {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problem.causedBy?.reason ?? error.problem.reason;
  }
  return undefined;
}

test("a row reads a definition with the settings of its node", () => {
  const { repositories } = nodeWith(bucket, { settings: { "bucket.server": "far" } });

  const { address, chunkBytes, isReadOnly } = repositories.settings(definition);

  expect([address, chunkBytes, isReadOnly]).toEqual([
    { type: "bucket", location: "far/b" },
    5,
    false,
  ]);
});

test("what a row refuses is refused with its words", () => {
  const { repositories } = nodeWith(bucket);

  expect(reasonOf(() => repositories.settings({ ...definition, settings: {} }))).toBe(
    "[r] missing bucket",
  );
});

test("a type without a row does not exist, nor one whose addresses the world does not open", () => {
  const lacking = nodeWith(bucket, { types: ["fs", "url"] });
  const gone = "[r] repository type [bucket] does not exist";

  expect(reasonOf(() => lacking.repositories.settings(definition))).toBe(gone);
  expect(
    reasonOf(() => lacking.repositories.settings({ ...definition, type: "constructor" })),
  ).toBe("[r] repository type [constructor] does not exist");
});

test("an address is admitted with the first operation, and again until it is", async () => {
  const { repositories, opened } = nodeWith(bucket);
  const { address } = repositories.settings(definition);

  const store = repositories.open({ name: "r", address });

  expect(opened).toEqual([]);
  await store.list("");
  await store.write("a", new Uint8Array());
  expect(opened).toEqual([{ type: "bucket", location: "//near/b" }]);
});

test("an address that is not admitted rejects every operation, and a check at once", async () => {
  const { repositories, opened } = nodeWith(bucket, { settings: { "bucket.forbidden": "near/b" } });
  const { address } = repositories.settings(definition);
  const store = repositories.open({ name: "r", address });

  await expect(store.read("a")).rejects.toBeInstanceOf(OperationError);
  await expect(store.remove([])).rejects.toBeInstanceOf(OperationError);
  expect(reasonOf(() => repositories.check({ name: "r", address }))).toBe(
    "[r] bucket [near/b] is forbidden",
  );
  expect(opened).toEqual([]);
});

test("a row with an opener of its own needs none of the world", async () => {
  const seen: unknown[] = [];
  const own: RepositoryType = {
    type: "bucket",
    isReadOnly: true,
    onNode: () => ({
      address: ({ type }) => ({ type, location: "own" }),
      open: ({ location, isReadOnly }, world) => {
        seen.push(location, isReadOnly, [...world.nodes()]);
        return { ...empty, folders: async () => ["own"] };
      },
    }),
  };
  const { repositories, opened } = nodeWith(own, { types: [] });
  const settings = repositories.settings({ ...definition, settings: { readonly: "false" } });

  const store = repositories.open({ name: "r", address: settings.address });
  expect(await store.folders("")).toEqual(["own"]);
  expect(settings.isReadOnly).toBe(true);
  expect(seen).toEqual(["own", true, [{ id: "a", name: "node-a" }]]);
  expect(opened).toEqual([]);
});

test("a type is there once", () => {
  expect(() => composeRepositoryTypes([bucket, ...coreRepositoryTypes, bucket])).toThrow(
    AssertionError,
  );
});
