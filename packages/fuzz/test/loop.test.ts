/** The loop with a target that counts: what it finds, how small it makes it, and that a replay line leads back. */
import type { Json } from "@orrery/stdx";
import { expect, test } from "vitest";
import type { Cell } from "../src/cell.ts";
import { fuzz, type LoopEvent, type FindingReport } from "../src/loop.ts";
import { readCases } from "../src/replay-line.ts";
import { defineTarget, type Session, type Target } from "../src/target.ts";

/** Falls at a text with an `x`, and at the number 7 if a 3 came before it in the session. */
const toy: Target = defineTarget<string>({
  worlds: ["sim"],
  casesPerSession: 50,
  generate: (random) =>
    Array.from({ length: random.int(1, 6) }, () => random.pick([..."abcdefx37"])).join(""),
  open: async () => {
    let hasThree = false;
    return {
      run: async (given) => {
        if (given.includes("x")) return { finding: { cause: "x", detail: given } };
        if (given.includes("7") && hasThree)
          return { finding: { cause: "7 after 3", detail: given }, isSpent: true };
        hasThree ||= given.includes("3");
        return {};
      },
      close: async () => undefined,
    };
  },
  shrink: function* (given) {
    for (const i of given.split("").keys()) yield given.slice(0, i) + given.slice(i + 1);
  },
  describe: (given) => given,
  family: () => "toy",
});

function cellOf(target: Target): Cell {
  let session: Session<Json> | undefined;
  return {
    open: async (options) => {
      session = await target.open(options);
      return undefined;
    },
    run: async (given) => (await session?.run(given)) ?? {},
    runTogether: async (given) =>
      (await session?.runTogether?.(given)) ?? { suspicions: [], isSpent: false },
    settle: async () => (await session?.settle?.()) ?? { suspicions: [], isSpent: false },
    close: async () => session?.close(),
  };
}

async function findings(seed: number, mostCases = 500): Promise<FindingReport[]> {
  const told: LoopEvent[] = [];
  await fuzz({
    ...{ name: "http", target: toy, cell: cellOf(toy), seed, nodes: [1, 3] },
    ...{ session: { world: "sim", port: 1 }, from: 0, mostCases, mostMs: Infinity, nowMs: () => 0 },
    report: (event) => told.push(event),
  });
  return told.flatMap((event) => (event.kind === "finding" ? [event.finding] : []));
}

test("each cause is told once, as small as it gets", async () => {
  const found = await findings(1);
  expect(found.map(({ cause, about }) => `${cause}: ${about}`).toSorted()).toEqual([
    "7 after 3: 7",
    "x: x",
  ]);
});

test("a case that needs one before it carries that one, and no other", async () => {
  const found = (await findings(1)).find(({ cause }) => cause === "7 after 3");
  const word = /--replay '(.*)'$/.exec(found?.replay ?? "")?.[1] ?? "";
  const cases = readCases(word) ?? [];
  expect(cases).toHaveLength(2);
  expect(cases[0]).toContain("3");
});

test("the same seed makes the same cases and findings", async () => {
  expect(await findings(5)).toEqual(await findings(5));
});

test("a world that stays well has no findings", async () => {
  expect(await findings(1, 1)).toEqual([]);
});
