/** The targets that damage files: what they do to bytes, and a few of their cases of each kind, which find nothing. */
import { createRandom } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { drawClusterCase, openDiskCluster } from "../src/files/disk-cluster.ts";
import { drawDamage, damaged, type Damage } from "../src/files/damage.ts";
import { drawRepositoryCase, openRepositoryCluster } from "../src/files/repository-cluster.ts";
import { drawStoreCase, openStoreFiles } from "../src/files/store-files.ts";

const bytes = Buffer.from("some bytes of a file");
const versions = { older: Uint8Array.of(1), other: Uint8Array.of(2) };
const damage = (how: Damage["how"]): Damage => ({ how, file: 0, at: 500_000, bit: 3 });

describe("a damage", () => {
  test("turns one bit, and never those of the bytes it is given", () => {
    const before = bytes.toString();

    const turned = damaged(bytes, damage("flip"), versions) ?? new Uint8Array(0);

    const changed = [...turned].filter((byte, i) => byte !== bytes[i]);
    expect([changed.length, bytes.toString()]).toEqual([1, before]);
  });

  test("cuts, empties, loses, and puts something else in the place of a file", () => {
    const of = (how: Damage["how"]): number | undefined =>
      damaged(bytes, damage(how), versions)?.length;

    expect([of("cut"), of("empty"), of("lost")]).toEqual([10, 0, undefined]);
    expect(damaged(bytes, damage("older"), versions)).toBe(versions.older);
    expect(damaged(bytes, damage("other"), versions)).toBe(versions.other);
  });

  test("is the same for the same draw", () => {
    expect(drawDamage(createRandom("a"))).toEqual(drawDamage(createRandom("a")));
  });
});

describe("a case finds nothing", () => {
  test("in the files of a node store", async () => {
    const files = await openStoreFiles(createRandom("store-files"));
    for (let i = 0; i < 150; i += 1) {
      const given = drawStoreCase(createRandom(`store-${i}`));
      expect({ given, ...files.run(given) }).toEqual({ given });
    }
    files.close();
  });

  test("in the files of one of three nodes", async () => {
    const cluster = await openDiskCluster(1);
    for (let i = 0; i < 6; i += 1) {
      const { finding } = await cluster.run(drawClusterCase(createRandom(`disk-${i}`)));
      expect(finding).toBeUndefined();
    }
    cluster.close();
  }, 60_000);

  test("in a repository", async () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const cluster = await openRepositoryCluster(seed, 1);
      const { finding } = await cluster.run(drawRepositoryCase(createRandom(`blobs-${seed}`)));
      expect(finding).toBeUndefined();
      cluster.close();
    }
  }, 60_000);
});
