/** The world of a shard worker in a thread: what a program gives it beside the machine's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShardWorkerChannel } from "@orrery/ports";
import { expect, test } from "vitest";
import { createThreadShardWorkers } from "../src/index.ts";

test("a thread opens the addresses of plugins beside folders and URLs", async () => {
  const dataPath = mkdtempSync(join(tmpdir(), "orrery-blobs-"));
  const entry = new URL("./blobs-entry.ts", import.meta.url);
  const workers = createThreadShardWorkers({ count: 1, dataPath, seed: "1", entry });
  let channel: ShardWorkerChannel | undefined;

  const said = await new Promise<string>((resolve) => {
    channel = workers.start(1, {
      onMessage: (message) => {
        if (message.kind === "log") resolve(message.message);
      },
      onExit: resolve,
    });
    channel.post({ kind: "start", worker: 1, settings: "{}" });
  });

  expect(said).toBe("fs url shelf book");
  channel?.terminate();
  rmSync(dataPath, { recursive: true, force: true });
});
