/** Guards around a handler: the first is the outermost, each lets through, changes the context, or refuses. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  createCaller,
  guardedHandler,
  ownWork,
  withCaller,
  type ActionCall,
  type Guard,
  type HandlerContext,
} from "../src/index.ts";
import { idA } from "./wire.ts";

const context: HandlerContext = {
  ...ownWork,
  from: idA,
  shard: "uuid/0",
  request: { from: idA, endpoint: 0, correlationId: 1 },
};
const payload = utf8Encode("x");
const described = {
  action: "indices:data/read/get[s]",
  permission: "indices:data/read/get",
  indicesOf: () => ["books"],
};
const ada = createCaller({ principal: { name: "ada", roles: [] }, headers: new Map() });

test("without guards the handler is the handler", () => {
  const handler = async () => payload;

  expect(guardedHandler([], described, handler)).toBe(handler);
});

test("a guard sees action, permission, indices and context, and the next one what it gives on", async () => {
  const seen: string[] = [];
  const note =
    (name: string): Guard<ActionCall> =>
    async (call, next) => {
      const { principal } = call.context.caller;
      seen.push(
        `${name} ${call.action} ${call.permission} ${call.indices.join(",")} ${principal?.name}`,
      );
      const answer = await next(withCaller(call.context, ada));
      seen.push(`${name} after`);
      return answer;
    };
  const handler = guardedHandler([note("one"), note("two")], described, async (_, given) => {
    seen.push(`handler ${given.caller.principal?.name}`);
    return payload;
  });

  expect(await handler(payload, context)).toBe(payload);
  expect(seen).toEqual([
    "one indices:data/read/get[s] indices:data/read/get books undefined",
    "two indices:data/read/get[s] indices:data/read/get books ada",
    "handler ada",
    "two after",
    "one after",
  ]);
});

test("what a guard refuses reaches neither the next one nor the handler", async () => {
  const problem = { type: "security_exception", reason: "no permissions", status: 403 };
  const never = (): never => {
    throw new Error("it was reached");
  };
  const refuse: Guard<ActionCall> = () => Promise.reject(new OperationError(problem));
  const handler = guardedHandler([refuse, never], described, never);

  await expect(handler(payload, context)).rejects.toMatchObject({ problem });
});
