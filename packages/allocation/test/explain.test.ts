/** Explanations and reroute commands, compared with recorded answers of the product. */
import { OperationError, type Json, type NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { executeCommands, explain, parseCommands, type ExplainRequest } from "../src/index.ts";
import {
  apply,
  copies,
  createIndex,
  inputsOf,
  initializing,
  leave,
  node,
  setCluster,
  settle,
  start,
  step,
  world,
  type World,
} from "./fixture.ts";
import { normalised, recorded, type Exchange } from "./recorded.ts";

function recordedNode(n: number) {
  return node(`node-${n}`, {
    id: `\${id-${n}}` as NodeId,
    ephemeralId: `eph-${n}`,
    transportAddress: `\${transport-${n}}`,
    roles: ["data", "ingest", "cluster_manager", "remote_cluster_client"],
    attributes: { zone: `zone-${n}`, shard_indexing_pressure_enabled: "true" },
  });
}

function single(): World {
  const made = world(recordedNode(1));
  setCluster(made, { "cluster.routing.allocation.disk.threshold_enabled": "false" });
  createIndex(made, "h1", 2, 0);
  createIndex(made, "h2", 1, 1);
  settle(made);
  return made;
}

function explained(made: World, body: Json, includeYesDecisions: boolean, asked?: string): Json {
  const request = requestOf(body);
  const options = { includeYesDecisions, includeDiskInfo: false };
  const inputs = inputsOf(made);
  const stores = [...(inputs.shardStores ?? [])].filter(
    ([key]) => asked === undefined || key === asked,
  );
  return explain(made.state, { ...inputs, shardStores: new Map(stores) }, request, options);
}

function requestOf(body: Json): ExplainRequest | undefined {
  if (body === null) return undefined;
  const { current_node, ...rest } = body as unknown as ExplainRequest & { current_node?: string };
  return current_node === undefined ? rest : { ...rest, currentNode: current_node };
}

function expectAnswer({ path, body, status, answer }: Exchange, made: World): void {
  const includesYes = path.includes("include_yes_decisions=true");
  if (status === 200) {
    const actual = normalised(explained(made, body, includesYes));
    expect(actual).toEqual(normalised(answer));
    return;
  }
  const { error } = answer as { error: Record<string, Json> };
  let thrown: unknown;
  try {
    explained(made, body, includesYes);
  } catch (caught) {
    thrown = caught;
  }
  if (!(thrown instanceof OperationError)) throw new Error(`no error for ${path}`);
  expect(thrown.problem).toMatchObject({ type: error["type"], reason: error["reason"], status });
}

describe("an explanation equals the recorded one", () => {
  const path = "/_cluster/allocation/explain";

  test("of one node with a replica too many", () => {
    const exchanges = recorded("cluster", path).filter(
      ({ body }) =>
        !["h3"].includes(String((body as { index?: string } | null)?.index)) &&
        (body === null || (typeof body === "object" && "primary" in body)),
    );
    const made = single();
    expect(exchanges.length).toBeGreaterThan(7);
    for (const exchange of exchanges) {
      if (exchange.body === null && exchange.status === 400) continue;
      expectAnswer(exchange, made);
    }
  });

  test("when nothing is unassigned", () => {
    const made = world(recordedNode(1));
    const last = recorded("cluster", path).find(
      ({ body, status }) => body === null && status === 400,
    );
    if (last === undefined) throw new Error("not recorded");

    expectAnswer(last, made);
  });

  test("of an index that no node may hold", () => {
    const made = single();
    createIndex(made, "h3", 1, 0, { "index.routing.allocation.require.zone": "nowhere" });
    step(made);
    const exchange = recorded("cluster", path).find(
      ({ body }) => (body as { index?: string } | null)?.index === "h3",
    );
    if (exchange === undefined) throw new Error("not recorded");

    expectAnswer(exchange, made);
  });

  test("of a node that is excluded, and of allocation switched off", () => {
    const [, started, none] = recorded("replication", path);
    if (started === undefined || none === undefined) throw new Error("not recorded");
    const made = world(recordedNode(2), recordedNode(1), recordedNode(3));
    createIndex(made, "one", 1, 1);
    setCluster(made, { "cluster.routing.allocation.exclude._name": "node-3" });
    settle(made);
    expectAnswer(started, made);

    setCluster(made, {
      "cluster.routing.allocation.exclude._name": null,
      "cluster.routing.allocation.enable": "none",
    });
    createIndex(made, "none", 1, 0);
    step(made);
    const actual = explained(made, none.body, false) as { node_allocation_decisions: Json[] };
    const wanted = none.answer as { node_allocation_decisions: Json[] };
    expect(actual.node_allocation_decisions).toHaveLength(3);
    expect(withoutNodes(actual)).toEqual(withoutNodes(wanted));
  });

  test("of copies whose node left", () => {
    const [replica, only] = recorded("failover", path);
    if (replica === undefined || only === undefined) throw new Error("not recorded");
    const made = world(recordedNode(2), recordedNode(1), recordedNode(3));
    createIndex(made, "f", 1, 1, { "index.routing.allocation.include._name": "node-3,node-2" });
    createIndex(made, "single", 1, 0, { "index.routing.allocation.include._name": "node-3" });
    settle(made);

    leave(made, recordedNode(3).id);

    expect(normalised(explained(made, replica.body, false, "single/0"))).toEqual(
      inNodeOrder(replica.answer),
    );
    expect(normalised(explained(made, only.body, false, "single/0"))).toEqual(
      inNodeOrder(only.answer),
    );
  });
});

/** The product orders nodes of equal rank by their ids, which are random there. */
function inNodeOrder(answer: Json): Json {
  const body = answer as { node_allocation_decisions: { node_id: string }[] };
  const sorted = body.node_allocation_decisions.toSorted((a, b) =>
    a.node_id < b.node_id ? -1 : 1,
  );
  return normalised({ ...body, node_allocation_decisions: sorted });
}

function withoutNodes(answer: object): Json {
  const { node_allocation_decisions: _, ...rest } = answer as Record<string, Json>;
  return normalised(rest);
}

describe("a reroute command answers as recorded", () => {
  test("on one node", () => {
    const made = single();
    const exchanges = recorded("cluster", "/_cluster/reroute").filter(
      ({ body, path }) => body !== null && !JSON.stringify(body).includes("foo") && path !== "",
    );
    expect(exchanges.length).toBeGreaterThan(8);
    for (const { path, body, status, answer } of exchanges) {
      if (JSON.stringify(body) === '{"commands":[{"move":{"index":"h1","shard":0}}]}') continue;
      const options = { explain: path.includes("explain=true"), retryFailed: false };
      const run = () =>
        executeCommands(made.state, inputsOf(made), parseCommands(body as never), options);
      if (status === 200) {
        const { explanations } = answer as { explanations: Json };
        expect(normalised(run().explanations as Json)).toEqual(normalised(explanations));
      } else {
        const { error } = answer as { error: { reason: string } };
        let reason = "";
        try {
          run();
        } catch (thrown) {
          if (thrown instanceof OperationError) reason = thrown.problem.reason ?? "";
        }
        expect(normalised(reason)).toEqual(normalised(error.reason));
      }
    }
  });
});

describe("commands", () => {
  const options = { explain: false, retryFailed: false };

  function run(made: World, command: Json) {
    const commands = parseCommands({ commands: [command] });
    const result = executeCommands(made.state, inputsOf(made), commands, options);
    made.state = result.state;
    return result;
  }

  test("move a copy", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 0);
    settle(made);
    const [held] = copies(made);
    const [from, to] = held?.nodeId === "n1-id" ? ["n1", "n2"] : ["n2", "n1"];

    run(made, { move: { index: "books", shard: 0, from_node: from, to_node: to } });
    start(made, initializing(made));

    expect(copies(made).map(({ nodeId, state }) => [nodeId, state])).toEqual([
      [`${to}-id`, "STARTED"],
    ]);
  });

  test("make an empty primary where data is lost, which forgets the old copies", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 0);
    settle(made);
    const [held] = copies(made);
    if (held?.nodeId === undefined) throw new Error("held");
    leave(made, held.nodeId);
    const target = held.nodeId === "n1-id" ? "n2" : "n1";
    const command = { index: "books", shard: 0, node: target };

    expect(() => run(made, { allocate_empty_primary: command })).toThrow(/can result in data loss/);
    run(made, { allocate_empty_primary: { ...command, accept_data_loss: true } });

    expect(initializing(made)[0]).toMatchObject({
      recoverySource: { type: "EMPTY_STORE" },
      unassignedInfo: { reason: "FORCED_EMPTY_PRIMARY" },
    });
    expect(made.state.metadata.indices.get("books")?.inSyncAllocationIds).toEqual([[]]);
    settle(made);
    const ids = made.state.metadata.indices.get("books")?.inSyncAllocationIds[0];
    expect(ids).toEqual([copies(made)[0]?.allocationId]);
  });

  test("make a stale copy primary, under a placeholder until it has started", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 1);
    settle(made);
    const [primary, replica] = copies(made);
    if (primary?.nodeId === undefined || replica?.nodeId === undefined) throw new Error("copies");
    step(made, { failed: [{ routing: replica, message: "x", markAsStale: true }] });
    leave(made, primary.nodeId);
    const target = made.state.nodes.get(replica.nodeId)?.name ?? "";

    run(made, {
      allocate_stale_primary: { index: "books", shard: 0, node: target, accept_data_loss: true },
    });

    const metadata = () => made.state.metadata.indices.get("books");
    expect(metadata()?.inSyncAllocationIds).toEqual([["_forced_allocation_"]]);
    expect(initializing(made)[0]?.recoverySource).toEqual({
      type: "EXISTING_STORE",
      bootstrapNewHistoryUuid: true,
    });
    settle(made);
    expect(metadata()?.inSyncAllocationIds[0]).toEqual([
      copies(made).find((copy) => copy.primary)?.allocationId,
    ]);
  });

  test("cancel a recovery", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 1);
    step(made);
    start(made, initializing(made));
    const [replica] = initializing(made);
    const name = made.state.nodes.get(replica?.nodeId ?? ("" as NodeId))?.name ?? "";

    run(made, { cancel: { index: "books", shard: 0, node: name } });

    const now = copies(made).find((copy) => !copy.primary);
    expect(now?.allocationId).not.toBe(replica?.allocationId);
    expect(now?.unassignedInfo?.reason).toBe("REROUTE_CANCELLED");
  });

  test("that are malformed are refused in the product's words", () => {
    const parse = (command: Json) => () => parseCommands({ commands: [command] });

    expect(parse({ move: { index: "i", shard: 0 } })).toThrow(
      "[move] command missing the from_node parameter",
    );
    expect(parse({ cancel: { index: "i", shard: 0, node: "n", foo: 1 } })).toThrow(
      "[cancel] command does not support field [foo]",
    );
    expect(parse({ foo: {} })).toThrow("unknown field [foo]");
  });
});

test("a delayed replica explains how long it still waits", () => {
  const made = world(node("n1"), node("n2"), node("n3"));
  createIndex(made, "books", 1, 1);
  settle(made);
  const replica = copies(made).find((copy) => !copy.primary);
  if (replica?.nodeId === undefined) throw new Error("replica");
  leave(made, replica.nodeId);
  made.nowMs += 15_000;

  const body = explained(made, { index: "books", shard: 0, primary: false }, false);

  expect(body).toMatchObject({
    can_allocate: "allocation_delayed",
    allocate_explanation:
      "cannot allocate because the cluster is still waiting 45s for the departed node holding a replica to rejoin, despite being allowed to allocate the shard to at least one other node",
    configured_delay_in_millis: 60_000,
    remaining_delay_in_millis: 45_000,
  });
});

test("an explanation changes nothing", () => {
  const made = single();
  const before = made.state;
  apply(made, { kind: "recover-state", nowMs: 1 });

  explained(made, { index: "h1", shard: 0, primary: true }, true);

  expect(made.state).toBe(before);
});
