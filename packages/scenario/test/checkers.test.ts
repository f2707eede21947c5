/** Each checker holds on a healthy cluster and finds the violation that was planted. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentenceOf, type Finding } from "../src/checkers/checker.ts";
import { untilHolds } from "../src/conditions.ts";
import type { Operation } from "../src/history.ts";
import type { Plan } from "../src/plan.ts";
import type { NewsEvent } from "../src/watchers.ts";
import { newClient, type ClientAnswer, type ClientRequest, type World } from "../src/world.ts";
import { acknowledged, checkerNamed, scenario, startTestWorld, type TestWorld } from "./world.ts";

let cluster: TestWorld;

beforeAll(async () => {
  cluster = await startTestWorld();
});

function judge(
  name: string,
  world: World = cluster.world,
  plan: Plan = scenario,
): Promise<Finding> {
  const { finish } = checkerNamed(name);
  if (finish === undefined) throw new Error(`${name} only watches`);
  return cluster.tell(async () => sentenceOf(await finish(world, plan, cluster.history)));
}

/** The same world, but for answers that are changed on their way. */
function tampered(
  change: (answer: ClientAnswer, request: ClientRequest, node: string) => ClientAnswer | undefined,
): World {
  return {
    ...cluster.world,
    request: async (client, node, request) => {
      const answer = await cluster.world.request(client, node, request);
      return answer && change(answer, request, node);
    },
  };
}

describe("no-acknowledged-write-lost", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("no-acknowledged-write-lost")).toBeUndefined();
  });

  test("finds a document that is not there", async () => {
    cluster.history.operations.push(acknowledged("lost", 1));

    const finding = await judge("no-acknowledged-write-lost");
    cluster.history.operations.pop();

    expect(finding).toMatch(
      /^the document \[lost\] of \[books\]: its write of the value 1 was acknowledged to .*, and at the end it is not there$/,
    );
  });

  test("finds a document with another content", async () => {
    cluster.history.operations.push(acknowledged("doc-1", 7));

    const finding = await judge("no-acknowledged-write-lost");
    cluster.history.operations.pop();

    expect(finding).toMatch(
      /^the document \[doc-1\] of \[books\]: its write of the value 7 .* it is there with the value \d+$/,
    );
  });

  test("names the operation, the document and its shard", async () => {
    const { history, world, tell } = cluster;
    const lost = { ...acknowledged("lost", 1), seqNo: 4 };
    const { finish } = checkerNamed("no-acknowledged-write-lost");
    const finding = await tell(async () => finish?.(world, scenario, { operations: [lost] }));

    const { client, request, node, invokedMs, returnedMs } = lost;
    expect(history.operations).not.toContain(lost);
    expect(finding).toMatchObject({
      subjects: [
        {
          ...{ index: "books", document: "lost", node, client, request, operation: "index" },
          ...{ sentMs: invokedMs, answeredMs: returnedMs, seqNo: 4, shard: expect.any(Number) },
        },
      ],
    });
  });

  test("counts the others", async () => {
    const { operations } = cluster.history;
    operations.push(acknowledged("lost", 1), acknowledged("gone", 2), acknowledged("away", 3));

    const finding = await judge("no-acknowledged-write-lost");
    operations.length -= 3;

    expect(finding).toMatch(/^the document \[lost\].*; so it is with 2 more$/);
  });

  test.each(["node_disconnected_exception", "no_shard_available_action_exception"])(
    "reads again after [%s], whose cause may be a connection that had died unnoticed",
    async (type) => {
      let reads = 0;
      const failed = { error: { type: "other", caused_by: { type, reason: "away" } } };
      const finding = await judge(
        "no-acknowledged-write-lost",
        tampered((answer) => {
          reads += 1;
          return reads > 4 ? answer : { ...answer, body: { docs: [failed] } };
        }),
      );

      expect(finding).toBeUndefined();
      expect(reads).toBe(5);
    },
  );

  test("takes no answer for a finding", async () => {
    const finding = await judge(
      "no-acknowledged-write-lost",
      tampered(() => undefined),
    );

    expect(finding).toContain("reading back failed");
  });
});

describe("no-acknowledged-write-lost, of documents that were deleted or are in doubt,", () => {
  const judgeWith = async (...operations: readonly Operation[]): Promise<Finding> => {
    const { history } = cluster;
    const before = history.operations.length;
    history.operations.push(...operations);
    const finding = await judge("no-acknowledged-write-lost");
    history.operations.length = before;
    return finding;
  };
  const written = acknowledged("doc-1", 7);

  test("finds one that is back after its delete was acknowledged", async () => {
    const deleted: Operation = { ...written, kind: "delete", seqNo: 9 };

    expect(await judgeWith(deleted)).toMatch(
      /^the document \[doc-1\] of \[books\]: its deletion was acknowledged .* it is there with the value/,
    );
  });

  test("takes an update that changed nothing for what it found, its own first attempt maybe", async () => {
    const noop = { ...acknowledged("doc-1", 1), kind: "update", seqNo: 9, isNoop: true } as const;
    const before = { ...acknowledged("doc-1", 77), seqNo: 3 };

    expect(await judgeWith(before)).toContain("[doc-1]");
    expect(await judgeWith(before, noop)).toBeUndefined();
  });

  test("takes any last word that may have been it", async () => {
    const unknown: Operation = { ...written, wrote: 1, outcome: "unknown" };

    expect(await judgeWith({ ...written, seqNo: 9 }, unknown)).toBeUndefined();
    expect(await judgeWith({ ...written, seqNo: 9 }, { ...unknown, wrote: 3 })).toContain(
      "its write of the value 7 was acknowledged",
    );
  });
});

describe("what may have gone with its index", () => {
  const deletion = (rest: Partial<Operation> = {}): Operation => ({
    kind: "request",
    client: "script",
    request: 1,
    node: "node-1",
    operation: "DELETE /away?timeout=1s",
    invokedMs: 10,
    returnedMs: 20,
    outcome: "ok",
    status: 200,
    ...rest,
  });
  const written: Operation = { ...acknowledged("lost", 1), index: "away", seqNo: 3 };
  const later: Operation = { ...written, invokedMs: 21, returnedMs: 22, seqNo: 0 };

  const judgeWith = async (name: string, ...operations: Operation[]): Promise<Finding> => {
    const { history } = cluster;
    const before = history.operations.length;
    history.operations.push(...operations);
    const finding = await judge(name);
    history.operations.length = before;
    return finding;
  };

  test.each([
    ["by its name", {}],
    ["by a pattern", { operation: "DELETE /other,aw*" }],
    ["with all others", { operation: "DELETE /_all" }],
    ["maybe", { outcome: "unknown", returnedMs: undefined, status: undefined } as const],
    ["by the next cluster manager, which finds it gone", { outcome: "failed", status: 404 }],
  ] as [string, Partial<Operation>][])(
    "is not lost when that was deleted %s",
    async (_how, rest) => {
      const operations = [written, deletion(rest)];
      expect(await judgeWith("no-acknowledged-write-lost", ...operations)).toBeUndefined();
      expect(await judgeWith("searches-see-refreshed-documents", ...operations)).toBeUndefined();
    },
  );

  test.each([
    ["another index", [written, deletion({ operation: "DELETE /awa" })]],
    ["a document", [written, deletion({ operation: "DELETE /away/_doc/1" })]],
    ["nothing, as it was refused,", [written, deletion({ outcome: "failed", status: 400 })]],
    ["the index before this write,", [written, deletion(), later]],
  ])("is lost when a deletion took %s", async (_what, operations) => {
    expect(await judgeWith("no-acknowledged-write-lost", ...operations)).toContain(
      "the document [lost] of [away]: its write of the value 1 was acknowledged",
    );
  });

  test("is lost when a request that is not well encoded deleted nothing", async () => {
    const operations = [written, deletion({ operation: "DELETE /aw%" })];
    expect(await judgeWith("no-acknowledged-write-lost", ...operations)).toContain("[lost]");
  });

  test("is not lost while its index is closed", async () => {
    const closed = tampered((answer, { uri, body = "" }) => {
      if (!uri.startsWith("/_mget")) return answer;
      const { docs } = JSON.parse(body) as { readonly docs: readonly { _index: string }[] };
      const error = { type: "index_closed_exception", reason: "closed" };
      return { ...answer, body: { docs: docs.map(({ _index }) => ({ _index, error })) } };
    });
    expect(await judge("no-acknowledged-write-lost", closed)).toBeUndefined();
    expect(await judge("searches-see-refreshed-documents", closed)).toBeUndefined();
  });

  test("has no order, as an index that is made anew counts from the beginning", async () => {
    const again = { ...later, seqNo: 3, wrote: 9 };
    expect(await judgeWith("compare-and-set-is-linearizable", written, again)).toBeDefined();
    expect(
      await judgeWith("compare-and-set-is-linearizable", written, deletion(), again),
    ).toBeUndefined();
  });
});

describe("compare-and-set-is-linearizable", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("compare-and-set-is-linearizable")).toBeUndefined();
  });

  test("finds a document that is not what its last write made it", async () => {
    const { operations } = cluster.history;
    operations.push({ ...acknowledged("doc-1", 7), invokedMs: 2, returnedMs: 3, seqNo: 20 });

    const finding = await judge("compare-and-set-is-linearizable");
    operations.pop();

    expect(finding).toMatch(/books\/doc-1: no order of its 2 writes ends with/);
  });
});

describe("checkpoints-agree", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("checkpoints-agree")).toBeUndefined();
  });

  const behind = (name: string): World =>
    tampered((answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body).replace(`"${name}":4`, `"${name}":3`)) as Json,
    }));

  test("finds a copy that does not know that all have everything", async () => {
    const finding = await judge("checkpoints-agree", behind("global_checkpoint"));

    expect(finding).toMatch(/^books\/0: global_checkpoint of the copy on \[.+\] is 3/);
  });

  test("waits for no write while a copy that was taken away is in-sync still", async () => {
    const takenAway = (name: string): World => ({
      ...behind(name),
      view: async (node) => {
        const view = await cluster.world.view(node);
        const books = view?.indices.get("books");
        if (view === undefined || books === undefined) return view;
        const inSync = books.inSync.map((ids) => [...ids, "away"]);
        return { ...view, indices: new Map(view.indices).set("books", { ...books, inSync }) };
      },
    });

    const found = (name: string) => judge("checkpoints-agree", takenAway(name));

    expect(await found("global_checkpoint")).toBeUndefined();
    expect(await found("local_checkpoint")).toMatch(/^books\/0: local_checkpoint /);
  });
});

describe("searches-see-refreshed-documents", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("searches-see-refreshed-documents")).toBeUndefined();
  });

  const withoutHit = (answer: ClientAnswer): ClientAnswer => {
    const hits = isJsonObject(answer.body) ? answer.body["hits"] : undefined;
    const found = isJsonObject(hits) && Array.isArray(hits["hits"]) ? hits["hits"] : [];
    return { ...answer, body: { hits: { hits: found.slice(1) } } };
  };

  test("finds a document that a search does not find", async () => {
    const finding = await judge(
      "searches-see-refreshed-documents",
      tampered((answer, { uri }) => (uri.includes("_search") ? withoutHit(answer) : answer)),
    );

    expect(finding).toMatch(/^books\/doc-\d is there, and a search does not find it$/);
  });

  const withoutFirst = (mode: string): World =>
    tampered((answer, { uri }) => {
      const gone = { _index: "books", _id: "doc-1", found: false };
      const docs = isJsonObject(answer.body) ? answer.body["docs"] : undefined;
      if (!uri.startsWith("/_mget") || !uri.includes(mode) || !Array.isArray(docs)) return answer;
      return { ...answer, body: { docs: [gone, ...docs.slice(1)] as Json } };
    });

  test("finds a document that a search finds although it is not there", async () => {
    const finding = await judge("searches-see-refreshed-documents", withoutFirst(""));

    expect(finding).toBe("books/doc-1 is not there, and a search finds it");
  });

  test("finds a document that only a real-time read shows", async () => {
    const finding = await judge("searches-see-refreshed-documents", withoutFirst("realtime=false"));

    expect(finding).toMatch(
      /^books\/doc-1 is \{.*"found":true.*\}, and is read as \{.*"found":false\} with \[realtime=false\] after a refresh$/,
    );
  });
});

describe("copies-of-a-shard-agree", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("copies-of-a-shard-agree")).toBeUndefined();
  });

  const isOfCopy = (node: string, copy: number): boolean => {
    const state = cluster.simulation.cluster("node-1")?.state();
    const nodeId = state?.routingTable.get("books")?.shards[0]?.[copy]?.nodeId;
    return nodeId !== undefined && state?.nodes.get(nodeId)?.name === node;
  };

  const withRows = (
    answer: ClientAnswer,
    change: (rows: readonly Json[]) => Json,
  ): ClientAnswer => {
    if (!isJsonObject(answer.body) || !isJsonObject(answer.body["hits"])) return answer;
    const { hits } = answer.body["hits"];
    if (!Array.isArray(hits)) return answer;
    return { ...answer, body: { ...answer.body, hits: { hits: change(hits as Json[]) } } };
  };

  test("asks both copies", async () => {
    const asked: boolean[] = [];
    await judge(
      "copies-of-a-shard-agree",
      tampered((answer, request, node) => {
        if (request.uri.includes("_search")) asked.push(isOfCopy(node, asked.length));
        return answer;
      }),
    );

    expect(asked).toEqual([true, true]);
  });

  test.each([
    ["a document is missing", (rows: readonly Json[]): Json => rows.slice(1)],
    [
      "a version differs",
      (rows: readonly Json[]): Json => [{ ...(rows[0] as object), _version: 9 }, ...rows.slice(1)],
    ],
  ])("finds that %s on one copy", async (_name, change) => {
    const finding = await judge(
      "copies-of-a-shard-agree",
      tampered((answer, _request, node) => (isOfCopy(node, 1) ? withRows(answer, change) : answer)),
    );

    expect(finding).toMatch(/^copies of books\/0 differ: 5 and [45] documents, such as \["doc-1",/);
  });

  test("finds that two copies fail alike", async () => {
    const failed: ClientAnswer = { status: 503, body: { error: "all shards failed" } };

    const finding = await judge(
      "copies-of-a-shard-agree",
      tampered((answer, { uri }) => (uri.includes("_search") ? failed : answer)),
    );

    expect(finding).toContain("all shards failed");
  });
});

describe("an index that a client made during the run", () => {
  const client = newClient("maker");
  const ask = async (what: string, body?: unknown): Promise<ClientAnswer | undefined> => {
    const [method = "", uri = ""] = what.split(" ");
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return cluster.tell(() =>
      cluster.world.request(client, "node-1", { method, uri, ...text, timeoutMs: 30_000 }),
    );
  };
  /** Answers of one copy, or of any, about this index are changed on their way. */
  const tamperedAt = (isMeant: (node: string) => boolean, from: string, to: string): World =>
    tampered((answer, { uri }, node) => {
      if (!uri.startsWith("/made/_s") || uri.includes("_settings") || !isMeant(node)) return answer;
      return { ...answer, body: JSON.parse(JSON.stringify(answer.body).replace(from, to)) as Json };
    });
  const onReplica = (node: string): boolean => {
    const state = cluster.simulation.cluster("node-1")?.state();
    const nodeId = state?.routingTable.get("made")?.shards[0]?.[1]?.nodeId;
    return nodeId !== undefined && state?.nodes.get(nodeId)?.name === node;
  };
  const differing = (): World => tamperedAt(onReplica, '"_version":1', '"_version":9');
  const lagging = (): World =>
    tamperedAt(() => true, '"global_checkpoint":0', '"global_checkpoint":-1');

  beforeAll(async () => {
    await ask("PUT /made", { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    await cluster.tell(() => cluster.until(cluster.isWhole));
    await ask("PUT /made/_doc/1", { value: 1 });
    await ask("PUT /missing", {
      settings: {
        number_of_shards: 1,
        number_of_replicas: 0,
        "index.routing.allocation.require._name": "nobody",
      },
    });
  });
  afterAll(async () => {
    await ask("DELETE /made");
    await ask("DELETE /missing");
  });

  test("is found nothing wrong with, nor one that has no copy yet", async () => {
    expect(await judge("copies-of-a-shard-agree")).toBeUndefined();
    expect(await judge("checkpoints-agree")).toBeUndefined();
    expect(await judge("copies-share-their-history")).toBeUndefined();
  });

  test("is compared", async () => {
    expect(await judge("copies-of-a-shard-agree", differing())).toMatch(
      /^copies of made\/0 differ/,
    );
    expect(await judge("checkpoints-agree", lagging())).toMatch(
      /^made\/0: global_checkpoint of the copy on \[.+\] is -1, and the highest sequence number is 0$/,
    );
  });

  test("is compared as a node of the cluster knows it, not one that was taken out", async () => {
    const takenOut: World = {
      ...cluster.world,
      view: async (node) => {
        const view = await cluster.world.view(node);
        const isOut = node === cluster.world.running()[0];
        return view && isOut ? { ...view, version: 1, indices: new Map(), shards: [] } : view;
      },
    };
    expect(await judge("copies-of-a-shard-agree", takenOut)).toBeUndefined();
  });

  test.each(["index.blocks.read", "index.blocks.metadata"])(
    "is not compared while %s keeps readers away",
    async (block) => {
      await ask("PUT /made/_settings", { [block]: true });
      const found = await judge("copies-of-a-shard-agree", differing());
      await ask("PUT /made/_settings", { [block]: null });

      expect(found).toBeUndefined();
      expect(await judge("copies-of-a-shard-agree", differing())).toContain("made/0");
    },
  );

  test("waits for no write while a copy of it that was taken away is in-sync still", async () => {
    const away = (world: World): World => ({
      ...world,
      view: async (node) => {
        const view = await cluster.world.view(node);
        const made = view?.indices.get("made");
        if (view === undefined || made === undefined) return view;
        const inSync = made.inSync.map((ids) => [...ids, "away"]);
        return { ...view, indices: new Map(view.indices).set("made", { ...made, inSync }) };
      },
    });

    expect(await judge("checkpoints-agree", lagging())).toContain("made/0");
    expect(await judge("checkpoints-agree", away(lagging()))).toBeUndefined();
  });

  test.each(["copies-of-a-shard-agree", "checkpoints-agree", "in-sync-rules"] as const)(
    "is enough for %s to apply",
    (name) => {
      const plan: Plan = { ...scenario, indices: [], workload: [], timeline: [] };
      const step = { method: "PUT", uri: "/made" };
      const timeline = [{ action: { kind: "request", step } }] as unknown as Plan["timeline"];

      expect(checkerNamed(name).complaint?.(plan)).toBe("there is no index to compare");
      expect(checkerNamed(name).complaint?.({ ...plan, timeline })).toBeUndefined();
    },
  );
});

describe("converges-to-green", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("converges-to-green")).toBeUndefined();
  });

  test("finds a node that does not run, and nothing any more once it is back", async () => {
    const { world, tell, until, isWhole } = cluster;
    await world.crash("node-3");

    const finding = await judge("converges-to-green");
    await tell(async () => {
      await world.start("node-3");
      await until(() => world.running().length === 3);
      await until(isWhole);
    });

    expect(finding).toBe("node-1 sees 2 of 3 nodes");
    expect(await judge("converges-to-green")).toBeUndefined();
  });

  test("lets a node be away once more for a moment", async () => {
    const { world } = cluster;
    let looks = 0;
    const relapsing: World = {
      ...world,
      view: async (node) => {
        const view = await world.view(node);
        looks += 1;
        return view && looks < 3 ? { ...view, nodes: view.nodes.slice(1) } : view;
      },
    };

    expect(await judge("converges-to-green", relapsing)).toBeUndefined();
    expect(looks).toBeGreaterThan(3);
  });

  test("finds an index whose copies are not known yet, as after a restart of all nodes", async () => {
    const { world } = cluster;
    const unrecovered: World = {
      ...world,
      view: async (node) => {
        const view = await world.view(node);
        return view && { ...view, shards: [] };
      },
    };

    expect(await judge("converges-to-green", unrecovered)).toBe(
      "node-1 has not recovered books yet",
    );
    expect(await tellHealth(unrecovered, "green")).toBe(false);
    expect(await tellHealth(unrecovered, "red")).toBe(true);
  });
});

/** Whether the condition holds at once. */
function tellHealth(world: World, health: "green" | "red"): Promise<boolean> {
  let looks = 0;
  const isOver = (): boolean => (looks += 1) > 1;
  return cluster.tell(() => untilHolds({ health }, scenario, world, isOver));
}

describe("one-cluster-manager-per-term", () => {
  const watch = (
    events: readonly (Partial<NewsEvent> & { readonly nodeId: string })[],
  ): readonly Finding[] => {
    const see = checkerNamed("one-cluster-manager-per-term").start?.(cluster.world, scenario);
    return events.map((event) =>
      see?.({ at_ms: 0, node: `node-${event.nodeId}`, ...event } as NewsEvent),
    );
  };
  const elected = (nodeId: string, term: number) => ({
    kind: "cluster-manager-elected" as const,
    nodeId,
    term,
  });
  const published = (nodeId: string, term: number) => ({
    kind: "cluster-state-published" as const,
    nodeId,
    term,
    version: 1,
  });

  test("holds while each term has one", () => {
    const findings = watch([elected("a", 1), published("a", 1), elected("b", 2), elected("a", 3)]);

    expect(findings).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.each([
    ["elected", elected("b", 1)],
    ["that publishes", published("b", 1)],
  ])("finds a second one %s in a term", (_name, second) => {
    const findings = watch([elected("a", 1), second]);

    expect(findings[1]).toEqual({
      says: "term 1: both a and b were cluster manager",
      subjects: [
        { term: 1, node: "node-a" },
        { term: 1, node: "node-b" },
      ],
    });
  });

  test("saw the elections of the cluster above", () => {
    const kinds = new Set(cluster.events.map(({ kind }) => kind));

    expect(kinds).toContain("cluster-manager-elected");
    expect(kinds).toContain("cluster-state-published");
  });
});
