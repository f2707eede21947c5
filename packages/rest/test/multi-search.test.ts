/** A multi-search of any length: so many searches at a time, none once the client is gone, read in turns. */
import { initialState } from "@orrery/cluster-state";
import { utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { dispatch } from "../src/dispatch.ts";
import { fakeCluster } from "./fake-cluster.ts";
import { found } from "./found.ts";

interface Under {
  readonly answer: () => void;
}

/** Searches wait until they are told to answer; each look at the clock takes `msALook`. */
function cluster(msALook = 0) {
  const running: Under[] = [];
  let nowMs = 0;
  let turns = 0;
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += msALook),
    setTimer: (_: number, goOn: () => void) => {
      turns += 1;
      queueMicrotask(goOn);
      return () => undefined;
    },
  };
  const { cluster: fake } = fakeCluster({}, { clock, state: initialState("fake") });
  const search = () =>
    new Promise((resolve) => {
      running.push({ answer: () => resolve(found) });
    });
  const known = new Map<unknown, unknown>([["search", search]]);
  const all = new Proxy(fake, {
    get: (target, name) => known.get(name) ?? Reflect.get(target, name),
  });
  return { cluster: all, running, turns: () => turns };
}

const request = (searches: number, uri = "/_msearch") => ({
  method: "POST",
  uri,
  headers: { "content-type": "application/x-ndjson" },
  body: utf8Encode("{}\n{}\n".repeat(searches)),
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ["/_msearch", 1],
  ["/_msearch?max_concurrent_searches=3", 3],
])("POST %s has %i under way at a time", async (uri, limit) => {
  const { cluster: one, running } = cluster();

  const answered = dispatch(request(10, uri), one);
  for (let done = 0; done < 10; done += 1) {
    await settled();
    expect(running).toHaveLength(Math.min(10, done + limit));
    running[done]?.answer();
  }

  expect((await answered).status).toBe(200);
});

test("begins no search once the client is gone", async () => {
  const { cluster: one, running } = cluster();
  let leave: () => void = () => undefined;

  const answered = dispatch({ ...request(100), onClose: (cancel) => (leave = cancel) }, one);
  await settled();
  leave();
  running[0]?.answer();
  await answered;

  expect(running).toHaveLength(1);
});

test("is read in turns", async () => {
  const { cluster: one, running, turns } = cluster(1);

  void dispatch(request(1000), one);
  for (let i = 0; running.length === 0 && i < 1000; i += 1) await settled();

  expect(turns()).toBeGreaterThan(50);
});

test.each([0, -1])("takes no limit of %i", async (limit) => {
  const { cluster: one } = cluster();

  const { status, body } = await dispatch(
    request(1, `/_msearch?max_concurrent_searches=${limit}`),
    one,
  );

  expect(status).toBe(400);
  expect(Buffer.concat(body).toString()).toContain(
    '"reason":"maxConcurrentSearchRequests must be positive"',
  );
});
