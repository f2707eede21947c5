/** The engine after a crash: what was synced is there. */
import { forSeedsAsync, type Random } from "@orrery/seeds";
import { expect, test } from "vitest";
import { flush } from "../src/engine/flush.ts";
import { closeBatch } from "../src/engine/operations.ts";
import { refresh } from "../src/engine/refresh.ts";
import type { EngineState } from "../src/engine/types.ts";
import { createCrashDisk } from "./crash-disk.ts";
import { createFixture, newEngine, put, read, remove, reopen } from "./engine-fixture.ts";

const ids = ["a", "b", "c", "d", "e"];

// Two crashes a run; what was synced must be there, what was not may be, and nothing else ever.
test("INV-TRANSLOG-1: after a crash every synced operation is found again", async () => {
  await forSeedsAsync(150, async (random) => {
    let fixture = createFixture(createCrashDisk(), `s${random.int(0, 1e6)}`);
    let engine = await newEngine(fixture);
    let synced = new Map<string, string | undefined>();
    for (let life = 0; life < 3; life += 1) {
      const written = new Map(synced);
      const versions = new Map<string, Set<string | undefined>>();
      for (const id of ids) versions.set(id, new Set([synced.get(id)]));
      for (let i = 0; i < 25; i += 1) {
        await step(engine, random, { written, versions, onSynced: (now) => (synced = now) });
      }
      fixture.globalCheckpoint = engine.tracker.persistedCheckpoint;
      const disk = fixture.disk.crash(random);
      fixture = createFixture(disk, `t${random.int(0, 1e6)}`);
      engine = await reopen(fixture);
      for (const id of ids) {
        const found = read(engine, id);
        expect(versions.get(id)?.has(found), `${id} is ${found}`).toBe(true);
        if (found !== synced.get(id)) synced.set(id, found);
      }
      const again = createFixture(disk.crash(random), "again");
      const reopened = await reopen(again);
      for (const id of ids) expect(read(reopened, id)).toBe(read(engine, id));
    }
  });
});

interface Model {
  readonly written: Map<string, string | undefined>;
  /** Values since the last sync: any of them may be what a crash leaves. */
  readonly versions: Map<string, Set<string | undefined>>;
  readonly onSynced: (now: Map<string, string | undefined>) => void;
}

async function step(engine: EngineState, random: Random, model: Model): Promise<void> {
  const id = random.pick(ids);
  const kind = random.int(0, 9);
  if (kind < 6) {
    const text = `${id}${random.int(0, 1e9)}`;
    put(engine, id, text);
    note(model, id, text);
  } else if (kind === 6) {
    remove(engine, id);
    note(model, id, undefined);
  } else if (kind === 7) refresh(engine, "external");
  else if (kind === 8) {
    await flush(engine, { force: random.int(0, 1) === 1, waitIfOngoing: true });
    settle(model);
  } else {
    closeBatch(engine);
    await engine.translog.sync();
    settle(model);
  }
  closeBatch(engine);
}

function note({ written, versions }: Model, id: string, value: string | undefined): void {
  written.set(id, value);
  versions.get(id)?.add(value);
}

function settle({ written, versions, onSynced }: Model): void {
  for (const [id, set] of versions) {
    set.clear();
    set.add(written.get(id));
  }
  onSynced(new Map(written));
}
