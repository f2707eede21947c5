/** Pages of one moment: what is lawful passes, each kind of wrong page is found, and a cluster's own pages are right. */
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { judgePages } from "../src/checkers/pages-show-one-moment.ts";
import { newHistory, type Operation, type Page } from "../src/history.ts";
import { parseScenario, executePlan } from "../src/index.ts";
import { createTestWorld } from "./world.ts";

type Found = Readonly<Record<string, number>>;

const common = { client: "c", request: 1, node: "node-1", index: "books", outcome: "ok" } as const;

function write(document: string, wrote: number, seqNo: number, atMs: number): Operation {
  return {
    ...{ ...common, kind: "index", document, wrote, seqNo, invokedMs: atMs, returnedMs: atMs + 1 },
  };
}

function refresh(atMs: number): Operation {
  return { ...common, kind: "request", isRefresh: true, invokedMs: atMs, returnedMs: atMs + 1 };
}

function page(found: Found, total = 2): Page {
  const hits = Object.entries(found).map(([document, value]) => ({ document, value }));
  return { hits, total, isWhole: true };
}

/** Opened from 100 to 110 ms, read to its end. */
function reading(pages: readonly Page[], given: Partial<Operation> = {}): Operation {
  return {
    ...{ ...common, kind: "pages", operation: "POST /books/_search", isWhole: true, isRead: true },
    ...{ invokedMs: 100, returnedMs: 110, pages: [...pages], ...given },
  };
}

const before = [write("a", 1, 0, 10), write("b", 2, 1, 12), refresh(20)];

function judge(...operations: readonly Operation[]): Finding {
  return judgePages(
    { operations: [...before, ...operations] },
    { clusterOf: () => "main", mayBeOutOfDate: false, newPrimaries: new Map() },
  );
}

describe("pages-show-one-moment", () => {
  const right = [page({ a: 1 }), page({ b: 2 }), page({})];

  test("holds for pages that show what was there, whatever was written since", () => {
    const since = [
      write("a", 7, 2, 120),
      write("c", 3, 3, 121),
      { ...write("b", 0, 4, 122), kind: "delete" as const },
      refresh(130),
    ];

    expect(judge(...since, reading(right))).toBeUndefined();
  });

  test("holds for pages that show less, as they were not read to their end or lack a shard", () => {
    const half = [page({ a: 1 })];
    const partial = [{ ...page({ a: 1 }, 1), isWhole: false }, page({}, 1)];

    expect(judge(reading(half, { isRead: false }))).toBeUndefined();
    expect(judge(reading(partial))).toBeUndefined();
    expect(judge(reading([page({ a: 1 }, 1), page({}, 1)], { isWhole: false }))).toBeUndefined();
  });

  test("finds a document that is shown twice", () => {
    expect(judge(reading([page({ a: 1 }), page({ b: 2, a: 1 }), page({})]))).toBe(
      "[POST /books/_search] at 100 ms: it showed books/a twice, on the pages 1 and 2",
    );
  });

  test("finds a page with another total", () => {
    expect(judge(reading([page({ a: 1 }), page({ b: 2 }, 3), page({})]))).toBe(
      "[POST /books/_search] at 100 ms: its page 2 tells of 3 documents, one before of 2",
    );
  });

  test("finds pages that show fewer documents than their total", () => {
    expect(judge(reading([page({ a: 1 }), page({})]))).toBe(
      "[POST /books/_search] at 100 ms: it showed 1 documents of 2",
    );
  });

  test("finds a document that was written after the pages were opened", () => {
    const late = write("a", 7, 2, 120);

    expect(judge(late, reading([page({ a: 7 }), page({ b: 2 }), page({})]))).toContain(
      "it found books/a as 7, and nobody had written that",
    );
  });

  test("finds a document that is missing although a refresh had made it visible", () => {
    expect(judge(reading([page({ a: 1 }, 1), page({}, 1)]))).toContain(
      "it did not find books/b, which had been written before a refresh",
    );
  });
});

test.each(["scroll", "point-in-time"])("a %s of a cluster is read to its end", async (of) => {
  const plan = parseScenario(
    "test.yaml",
    `name: test/pages
claim: Used by tests.
indices: { books: { shards: 2, data: { dataset: numbers, documents: 20 } } }
workload: { kind: pages, index: books, of: ${of}, documents: 6, pause: 10ms, requests: 2 }
phases: { faults: 3s, converge: 60s }
checkers: [pages-show-one-moment]
`,
  );
  const { world, tell } = createTestWorld(1, plan);
  const result = { history: newHistory(), findings: [], doubts: [], receipts: [] };

  await tell(() => executePlan(plan, world, result));

  const read = result.history.operations.filter(({ kind }) => kind === "pages");
  const sizes = read.map(({ pages }) => pages?.map(({ hits }) => hits.length));
  expect(sizes).toEqual([
    [6, 6, 6, 2, 0],
    [6, 6, 6, 2, 0],
  ]);
  expect(read.every(({ isRead, isWhole }) => isRead === true && isWhole === true)).toBe(true);
  expect(result.findings).toEqual([]);
});

test("a plan whose clients read no pages has nothing to judge", () => {
  expect(() =>
    parseScenario(
      "test.yaml",
      "name: test/none\nclaim: Used by tests.\ncheckers: [pages-show-one-moment]\n",
    ),
  ).toThrow("the checker [pages-show-one-moment] does not apply: no client reads pages");
});
