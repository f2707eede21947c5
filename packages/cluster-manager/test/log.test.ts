/** A log that has become long: it is cut, and nobody notices. */
import type { Task } from "@orrery/cluster-state";
import { expect, test } from "vitest";
import {
  createWorld,
  isFormed,
  startThree,
  threeNames,
  threeSettings,
  type Process,
} from "./world.ts";

const setting = (value: number): Task => ({
  kind: "update-cluster-settings",
  persistent: { "cluster.max_shards_per_node": String(value) },
  transient: {},
});

const settingOf = ({ manager }: Process): unknown =>
  manager.state().metadata.persistentSettings["cluster.max_shards_per_node"];

test("a node that was away while the log was cut, one that is new, and a restart all get the same state", async () => {
  const world = createWorld("long");
  const [a, b, c] = (await startThree(world)) as [Process, Process, Process];
  world.kill(c);
  for (let i = 0; i < 26; i += 1) {
    const values = Array.from({ length: 50 }, (_, n) => 1000 + i * 50 + n);
    await world.settle(Promise.all(values.map((value) => b.manager.submit(setting(value)))));
  }
  expect(world.storedEntries("a")).toBeLessThan(1300);
  expect(settingOf(a)).toBe("2299");

  const back = world.start("c", threeSettings());
  const late = world.start("d", {
    "discovery.seed_hosts": threeNames.map((name) => `${name}:9300`),
  });
  await world.until(() => isFormed(world, 4), 2000);
  expect([back, late].map(settingOf)).toEqual(["2299", "2299"]);
  expect(back.manager.state().stateUuid).toBe(a.manager.state().stateUuid);

  for (const process of world.processes()) world.kill(process);
  await world.run(20);
  const again = threeNames.map((name) => world.start(name, threeSettings()));
  await world.until(() => isFormed(world, 3), 3000);
  expect(again.map(settingOf)).toEqual(["2299", "2299", "2299"]);
});
