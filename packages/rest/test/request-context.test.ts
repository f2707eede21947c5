/** What a request begins with, and the guards around its operation. */
import { composeProduct, createCaller, withCaller, type OperationCall } from "@orrery/node";
import type { RequestContext } from "@orrery/node";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { dispatch } from "../src/dispatch.ts";
import { fakeCluster, send } from "./fake-cluster.ts";

type OperationGuard = NonNullable<
  Parameters<typeof composeProduct>[0][number]["operationGuards"]
>[number];

/** A cluster with these guards, and the contexts that operations ran under. */
function guardedCluster(...operationGuards: OperationGuard[]) {
  const { cluster, asked } = fakeCluster();
  const contexts: RequestContext[] = [];
  const about = { name: "p", description: "", classname: "" };
  const known = new Map<unknown, unknown>([
    ["product", composeProduct([{ ...about, operationGuards }])],
    ["under", (context: RequestContext) => (contexts.push(context), cluster)],
  ]);
  const all = new Proxy(cluster, {
    get: (target, name) => known.get(name) ?? Reflect.get(target, name),
  });
  return { cluster: all, asked, contexts };
}

test("headers that are passed on are in the context, others are not", async () => {
  const { cluster, contexts } = guardedCluster();
  const headers = { "x-opaque-id": "one", traceparent: "00-a-b-01", cookie: "mine" };

  await send(cluster, "GET /_cluster/health", { headers });

  expect([...(contexts[0]?.caller.headers ?? [])]).toEqual([
    ["x-opaque-id", "one"],
    ["traceparent", "00-a-b-01"],
  ]);
  expect(contexts[0]?.caller.principal).toBeUndefined();
});

test("headers longer than frames carry are refused", async () => {
  const { cluster, asked } = guardedCluster();

  const headers = { "x-opaque-id": "x".repeat(40_000) };
  const { status, text } = await send(cluster, "GET /books/_doc/1", { headers });

  expect([status, asked]).toEqual([400, []]);
  expect(text).toContain("illegal_argument_exception");
});

test("the context is cancelled when the client is gone, and not before", async () => {
  const { cluster, contexts } = guardedCluster();
  let close = (): void => undefined;
  const request = { method: "GET", uri: "/_cluster/health", headers: {}, body: utf8Encode("") };

  await dispatch({ ...request, onClose: (cancel) => void (close = cancel) }, cluster);
  const before = contexts[0]?.cancellation.isCancelled;
  close();

  expect([before, contexts[0]?.cancellation.isCancelled]).toEqual([false, true]);
});

test("a guard sees group, permission, indices and path parameters, also of the query", async () => {
  const calls: OperationCall[] = [];
  const { cluster } = guardedCluster((call, next) => {
    calls.push(call);
    return next(call.context);
  });

  await send(cluster, "GET /a,b*/_count");
  await send(cluster, "GET /_refresh?index=c", { headers: { "x-user": "me" } });

  expect(calls.map(({ group, permission, indices }) => [group, permission, indices])).toEqual([
    ["count", "indices:data/read/search", ["a", "b*"]],
    ["indices.refresh", "indices:admin/refresh", ["c"]],
  ]);
  expect(calls[1]?.header("x-user")).toBe("me");
});

test("a refusal is the answer, whatever else is wrong with the request; nothing is carried out", async () => {
  const { cluster, asked, contexts } = guardedCluster(async () => {
    throw new OperationError({ type: "security_exception", reason: "no permissions", status: 403 });
  });

  const { status, json } = await send(cluster, "GET /books/_doc/1?nonsense=1");

  expect(status).toBe(403);
  expect(json).toMatchObject({
    status: 403,
    error: { type: "security_exception", reason: "no permissions" },
  });
  expect([asked, contexts]).toEqual([[], []]);
});

test("the operation runs as the caller that a guard has found", async () => {
  const caller = createCaller({ principal: { name: "ada", roles: [] }, headers: new Map() });
  const { cluster, contexts } = guardedCluster((call, next) =>
    next(withCaller(call.context, caller)),
  );

  await send(cluster, "GET /_cluster/health");

  expect(contexts.map((context) => context.caller.principal?.name)).toEqual(["ada"]);
});
