/** Bytes and texts that no node sends: refused as what they are, so that nothing of them looks like a fault of this program. */
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { BulkShardRequest, SnapshotData } from "../src/index.ts";

function problemOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problem;
  }
}

test.each([
  ["cut", Uint8Array.of(0x0a, 0x7f, 1)],
  ["of a wire type that there is not", Uint8Array.of(0x0f)],
  ["groups in each other without end", new Uint8Array(100_000).fill(0x0b)],
])("a message %s is malformed", (_name, bytes) => {
  for (const [name, codec] of [
    ["BulkShardRequest", BulkShardRequest],
    ["SnapshotData", SnapshotData],
  ] as const) {
    expect(problemOf(() => codec.decode(bytes))).toMatchObject({
      type: "stream_corrupted_exception",
      status: 400,
      reason: expect.stringContaining(`malformed [${name}]`),
    });
  }
});
