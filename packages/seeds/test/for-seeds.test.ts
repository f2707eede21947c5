/** The loop itself: which seeds run, and what a failure says. */
import { afterEach, expect, test, vi } from "vitest";
import { forSeeds, forSeedsAsync } from "../src/index.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("every seed runs once and draws numbers of its own", () => {
  vi.stubEnv("SEED", "");
  const drawn = new Map<number, number>();

  forSeeds(50, (random, seed) => drawn.set(seed, random.float()));

  expect([...drawn.keys()]).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(new Set(drawn.values()).size).toBe(50);
});

test("a failure names the seed, and that seed alone draws the same numbers", () => {
  vi.stubEnv("SEED", "");
  let failing = -1;
  const body = (random: { float(): number }, seed: number): void => {
    const value = random.float();
    if (seed !== 7) return;
    failing = value;
    throw new Error("broken");
  };

  expect(() => forSeeds(20, body)).toThrow(/^SEED=7: broken$/);
  const before = failing;
  vi.stubEnv("SEED", "7");
  const seeds: number[] = [];
  expect(() =>
    forSeeds(20, (random, seed) => {
      seeds.push(seed);
      body(random, seed);
    }),
  ).toThrow(/^SEED=7: broken$/);

  expect([seeds, failing]).toEqual([[7], before]);
});

test("an asynchronous body runs one seed after the other", async () => {
  vi.stubEnv("SEED", "");
  let running = 0;

  await forSeedsAsync(5, async () => {
    running += 1;
    await Promise.resolve();
    expect(running).toBe(1);
    running -= 1;
  });
  const failing = forSeedsAsync(5, (_, seed) =>
    seed === 3 ? Promise.reject(new Error("broken")) : Promise.resolve(),
  );

  await expect(failing).rejects.toThrow(/^SEED=3: broken$/);
});

test("a SEED that is no number is refused", () => {
  vi.stubEnv("SEED", "x");

  expect(() => forSeeds(1, () => undefined)).toThrow("SEED must be a whole number, not [x]");
});
