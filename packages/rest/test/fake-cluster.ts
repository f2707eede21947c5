/** A cluster that answers what it is told to: enough to try the frame. What operations do is tried on real ones. */
import { initialState, type ClusterState } from "@orrery/cluster-state";
import { coreProduct, type Caller, type Cancellation, type Cluster } from "@orrery/node";
import { createRandom, utf8Decode, utf8Encode } from "@orrery/stdx";
import { dispatch } from "../src/dispatch.ts";
import type { RestResponse } from "../src/types.ts";

export interface Asked {
  readonly method: string;
  readonly argument: unknown;
}

/** `answers` by method name; everything asked is kept in `asked`. */
export function fakeCluster(
  answers: Readonly<Record<string, unknown>> = {},
  settings: {
    readonly isStrict?: boolean;
    readonly state?: ClusterState;
    readonly clock?: Cluster["clock"];
  } = {},
): { readonly cluster: Cluster; readonly asked: Asked[]; readonly log: string[] } {
  const asked: Asked[] = [];
  const log: string[] = [];
  const state = settings.state ?? initialState("fake");
  const known: Record<string, unknown> = {
    localNode: { id: "n1", name: "node-1" },
    clock: settings.clock ?? { nowMs: () => 1_700_000_000_000, monotonicMs: () => 0 },
    random: createRandom("fake"),
    isStrict: settings.isStrict === true,
    process: { os: { availableProcessors: 2 } },
    tracer: undefined,
    log: (_level: string, message: string) => log.push(message),
    setting: () => undefined,
    state: () => state,
    votingConfigurations: () => ({ current: [], former: [] }),
    managerState: () => Promise.resolve(state),
    pendingTasks: () => Promise.resolve([]),
    product: coreProduct,
    begin: (caller: Caller, cancellation: Cancellation) => ({ caller, cancellation }),
    // Whatever stands around this fake.
    under(this: unknown) {
      return this;
    },
    started: () => undefined,
  };
  const cluster = new Proxy(known, {
    get: (target, name) => {
      if (typeof name !== "string" || name in target) return target[name as string];
      return (argument: unknown) => {
        asked.push({ method: name, argument });
        const answer = answers[name];
        if (answer instanceof Error) return Promise.reject(answer);
        return Promise.resolve(answer);
      };
    },
  });
  return { cluster: cluster as unknown as Cluster, asked, log };
}

export interface Sent {
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string | string[]>;
}

export async function send(
  cluster: Cluster,
  request: string,
  sent: Sent = {},
): Promise<RestResponse & { readonly text: string; readonly json: unknown }> {
  const space = request.indexOf(" ");
  const body =
    typeof sent.body === "string" ? utf8Encode(sent.body) : (sent.body ?? new Uint8Array());
  const typed = body.length > 0 ? { "content-type": "application/json" } : {};
  const response = await dispatch(
    {
      method: request.slice(0, space),
      uri: request.slice(space + 1),
      headers: { ...typed, ...sent.headers },
      body,
    },
    cluster,
  );
  const text = response.body.map(utf8Decode).join("");
  const isJson =
    String(response.headers["content-type"]).startsWith("application/json") && text !== "";
  return { ...response, text, json: isJson ? JSON.parse(text) : undefined };
}
