/** Cases beside each other: which of them are suspects, and that the loop names the one that did it. */
import type { Json } from "@orrery/stdx";
import { expect, test } from "vitest";
import type { Cell } from "../src/cell.ts";
import { fuzz, type LoopEvent, type FindingReport } from "../src/loop.ts";
import { worstOf } from "../src/measured.ts";
import { readCases } from "../src/replay-line.ts";
import { defineTarget, type Finding, type Session, type Target } from "../src/target.ts";
import { createWindow } from "../src/window.ts";

/** The world falls at `given`; all cases of a call are suspects, as where processes are watched from outside. */
function toy(falls: (given: string, before: readonly string[]) => Finding | undefined): Target {
  return defineTarget<string>({
    worlds: ["grpc"],
    casesPerSession: 50,
    casesTogether: 500,
    generate: (random) =>
      Array.from({ length: random.int(1, 6) }, () => random.pick([..."abcdef37x"])).join(""),
    open: async () => {
      const before: string[] = [];
      const take = (given: string): Finding | undefined => {
        before.push(given);
        return falls(given, before);
      };
      return {
        run: async (given) => {
          const finding = take(given);
          return finding === undefined ? {} : { finding, isSpent: true };
        },
        runTogether: async (given) => {
          const from = before.length;
          const [finding] = given.flatMap((one) => take(one) ?? []);
          const suspects = given.map((_, i) => from + i);
          const suspicions = finding === undefined ? [] : [{ finding, suspects, since: 0 }];
          return { suspicions, isSpent: finding !== undefined };
        },
        settle: async () => ({ suspicions: [], isSpent: false }),
        close: async () => undefined,
      };
    },
    shrink: function* (given) {
      for (const i of given.split("").keys()) yield given.slice(0, i) + given.slice(i + 1);
    },
    describe: (given) => given,
    family: () => "toy",
  });
}

function cellOf(target: Target): Cell {
  let session: Session<Json> | undefined;
  const nothing = { suspicions: [], isSpent: false };
  return {
    open: async (options) => {
      session = await target.open(options);
      return undefined;
    },
    run: async (given) => (await session?.run(given)) ?? {},
    runTogether: async (given) => (await session?.runTogether?.(given)) ?? nothing,
    settle: async () => (await session?.settle?.()) ?? nothing,
    close: async () => session?.close(),
  };
}

async function findingsOf(target: Target, mostCases = 2000): Promise<FindingReport[]> {
  const told: LoopEvent[] = [];
  await fuzz({
    ...{ name: "http", target, cell: cellOf(target), seed: 1, nodes: [3] },
    ...{ session: { world: "grpc", port: 1, inFlight: 8 }, from: 0, mostCases },
    ...{ mostMs: Infinity, nowMs: () => 0, report: (event) => told.push(event) },
  });
  return told.flatMap((event) => (event.kind === "finding" ? [event.finding] : []));
}

test("of many suspects the one that shows the finding alone is named, as small as it gets", async () => {
  const found = await findingsOf(
    toy((given) => (given.includes("xx") ? { cause: "crash", detail: given } : undefined)),
  );

  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ cause: "crash", about: "xx", isReproduced: true });
  const word = /--in-flight 1 --replay '(.*)'$/.exec(found[0]?.replay ?? "")?.[1] ?? "";
  expect(readCases(word)).toEqual(["xx"]);
});

test("a finding that no new session shows is told with the stretch of cases that it was seen in", async () => {
  let hasFallen = false;
  const found = await findingsOf(
    toy((_, before) => {
      if (hasFallen || before.length < 400) return undefined;
      hasFallen = true;
      return { cause: "once", detail: "" };
    }),
    500,
  );

  expect(found).toHaveLength(1);
  expect(found[0]?.isReproduced).toBe(false);
});

test("suspects are the cases under way, and those that ended since all was well", async () => {
  let nowMs = 0;
  const window = createWindow(4, () => nowMs);
  const ends: (() => void)[] = [];
  const hold = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  await window.start(hold);
  await window.start(hold);
  await window.start(async () => undefined);
  await new Promise(setImmediate);

  expect(window.suspects()).toEqual([0, 1, 2]);
  nowMs = 5000;
  window.markHealthy(4000);
  expect([window.suspects(), window.size]).toEqual([[0, 1], 2]);
  ends[0]?.();
  await new Promise(setImmediate);
  window.markHealthy(5000);
  expect(window.suspects()).toEqual([0, 1]);
});

test("of several sessions the greatest growth is told", () => {
  const of = (beforeBytes: number, afterBytes: number, slowestHealthMs: number) => ({
    memory: { beforeBytes, afterBytes },
    slowestHealthMs,
  });
  expect(worstOf(of(100, 120, 9), of(200, 220, 30))).toEqual(of(100, 120, 30));
  expect(worstOf(undefined, of(1, 2, 3))).toEqual(of(1, 2, 3));
});
