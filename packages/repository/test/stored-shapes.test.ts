/** What a repository says that no node wrote: refused as corrupt, and no name in it leads anywhere else. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { BlobStore } from "@orrery/ports";
import { encodeBlob } from "../src/blob-format.ts";
import { openRepository, readShardSnapshot } from "../src/index.ts";
import { toStored } from "../src/repository-data.ts";
import { readShardIndex } from "../src/shard.ts";

const data = toStored({
  generation: 0,
  snapshots: [
    { name: "s", uuid: "u", state: "SUCCESS", version: "3.8.0", indexMetadata: { i: "x" } },
  ],
  indices: [
    { name: "b", id: "i", pathType: "FIXED", snapshots: ["u"], shardGenerations: ["g", null] },
  ],
  indexMetadata: { x: "m" },
});
const file = { blob: "__1", name: "_0.cfs", sizeBytes: 3, checksum: 7, partBytes: 0 };
const snapshot = {
  ...{ name: "s", uuid: "u", startTimeMs: 1, durationMs: 2 },
  ...{ incrementalFiles: 1, incrementalBytes: 3, files: [file] },
};
const info = {
  ...{ name: "s", uuid: "u", version: "3.8.0", state: "PARTIAL", reason: "r" },
  ...{ indices: ["b"], dataStreams: [], includeGlobalState: true, metadata: { a: 1 } },
  ...{ startTimeMs: 1, endTimeMs: 2, totalShards: 2, successfulShards: 1 },
  failures: [{ index: "b", shard: 1, reason: "no", nodeId: "n" }],
  remoteStoreIndexShallowCopy: false,
};
const index = { snapshots: [{ name: "s", uuid: "u", files: ["__1"] }], files: [file] };

/** A store that holds this, whatever is read. */
const holding = (bytes: Uint8Array): BlobStore =>
  ({ read: async () => bytes }) as Partial<BlobStore> as BlobStore;
const stored = (value: unknown): BlobStore => ({
  ...holding(new Uint8Array(0)),
  read: async (path) => encodeBlob(value, "none", path),
});

const readData = (value: unknown) =>
  openRepository("r", stored(value), { compression: "none", isReadOnly: false }).readData(0);

const readInfo = (value: unknown) =>
  openRepository("r", stored(value), { compression: "none", isReadOnly: false }).readInfo("u");

async function typeOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof OperationError ? error.problem.type : String(error);
}

const odd = ["..", ".", "", "../../x", "a/b", "a\\b", "a\0b", "x".repeat(256), 7, null, {}];

describe("the data of a repository", () => {
  test("is taken as it was written", async () => {
    expect(await readData(data)).toMatchObject({
      snapshots: [{ name: "s" }],
      indices: [{ id: "i" }],
    });
    expect((await readShardSnapshot(stored(snapshot), "f", "u")).files).toEqual([file]);
    expect(await readShardIndex(stored(index), "f", "g")).toEqual(index);
  });

  test.each(odd)("has no index that is kept under %j", async (id) => {
    const indices = { b: { ...data.indices["b"], id } };
    expect(await typeOf(readData({ ...data, indices }))).toBe("corrupt_index_exception");
  });

  test.each(odd)("has no snapshot, and no metadata, that is kept under %j", async (uuid) => {
    const snapshots = [{ ...data.snapshots[0], uuid }];
    expect(await typeOf(readData({ ...data, snapshots }))).toBe("corrupt_index_exception");
    const metadata = { ...data, index_metadata_identifiers: { x: uuid } };
    expect(await typeOf(readData(metadata))).toBe("corrupt_index_exception");
  });

  test.each([null, 1, "x", [], {}, { ...data, snapshots: {} }, { ...data, indices: { b: null } }])(
    "is not %j",
    async (value) => {
      expect(await typeOf(readData(value))).toBe("corrupt_index_exception");
    },
  );

  test("is JSON, and the number of the latest has eight bytes", async () => {
    const { crc32c, concatBytes, utf8Encode } = await import("@orrery/stdx");
    const body = utf8Encode("{");
    const text = concatBytes([utf8Encode(`${crc32c(body).toString(16).padStart(8, "0")}\n`), body]);
    expect(await typeOf(readShardSnapshot(holding(text), "f", "u"))).toBe(
      "corrupt_index_exception",
    );
  });
});

describe("what a repository says of a snapshot", () => {
  test("is taken as it was written, with and without what may be left out", async () => {
    const { reason: _r, metadata: _m, ...least } = info;

    expect(await readInfo(info)).toEqual(info);
    expect(await readInfo(least)).toEqual(least);
  });

  const strange: readonly { readonly value: unknown }[] = [
    ...[null, [], {}, 1],
    ...Object.keys(info).map((key) => ({ ...info, [key]: [[]] })),
    { ...info, indices: [1] },
    { ...info, failures: [null] },
    { ...info, failures: [{ ...info.failures[0], shard: "0" }] },
    { ...info, state: "IN_PROGRESS" },
    { ...info, uuid: "../x" },
  ].map((value) => ({ value }));
  test.each(strange)("is not $value", async ({ value }) => {
    expect(await typeOf(readInfo(value))).toBe("corrupt_index_exception");
  });
});

describe("a shard of a repository", () => {
  test.each(odd)("has no file, and no blob, that is called %j", async (name) => {
    for (const key of ["blob", "name"]) {
      const files = [{ ...file, [key]: name }];
      const attempts = [
        readShardSnapshot(stored({ ...snapshot, files }), "f", "u"),
        readShardIndex(stored({ ...index, files }), "f", "g"),
      ];
      for (const attempt of attempts) expect(await typeOf(attempt)).toBe("corrupt_index_exception");
    }
  });

  test.each([-1, 1.5, "3", null, 1e300])("has no file of %j bytes", async (sizeBytes) => {
    const files = [{ ...file, sizeBytes }];
    const read = readShardSnapshot(stored({ ...snapshot, files }), "f", "u");
    expect(await typeOf(read)).toBe("corrupt_index_exception");
  });
});
