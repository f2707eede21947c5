/** Generator of transport cases: foreign frames, modified valid messages, and noise. */
import { channelClasses, type FrameKind } from "@orrery/ports";
import {
  actions,
  encodeRaftMessage,
  JoinRequest,
  ManagerElected,
  ManagerRequest,
  NodeRequest,
  PeersRequest,
  Proposal,
  ShardAdminRequest,
  ShardFailedRequest,
  StateApplied,
  SubmitTaskRequest,
  wireJson,
} from "@orrery/protocol";
import { utf8Encode, type Random } from "@orrery/stdx";
import type { SessionOptions } from "../target.ts";
import type { RawKind, Said, TransportCase, VisitorKind } from "./case.ts";

const kinds: readonly FrameKind[] = [
  ...(["request", "one-way", "request-part", "cancel", "response", "error"] as const),
  ...(["response-part", "request-credit", "response-credit"] as const),
];
const visitors: readonly VisitorKind[] = [
  ...([
    "nobody",
    "nobody",
    "liar",
    "replayer",
    "partial",
    "client",
    "member",
    "data-node",
  ] as const),
];
const raws: readonly RawKind[] = [
  ...(["noise", "http-1", "idle", "unfinished", "many", "head-flood"] as const),
  ...([
    "bad-lengths",
    "bad-kinds",
    "control-flood",
    "fragments",
    "bad-opening",
    "packets",
  ] as const),
];
const names: readonly string[] = [
  ...["", "node-1", "visitor-id", "constructor", "__proto__", "x".repeat(5000), "\u0000", "\uFFFD"],
];
const numbers: readonly number[] = [
  ...[0, 1, 2, 7, 127, 128, 255, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1],
];

export function generateVisit(random: Random, { nodes }: SessionOptions): TransportCase {
  const said = Array.from({ length: random.int(1, 12) }, () => anySaid(random));
  return {
    visitor: random.pick(visitors),
    channel: random.pick(channelClasses),
    ...(random.int(0, 3) === 0 ? { raw: anyRaw(random) } : {}),
    node: random.int(1, nodes),
    said,
  };
}

function anyRaw(random: Random): { readonly kind: RawKind; readonly count: number } {
  return { kind: random.pick(raws), count: random.int(1, 64) };
}

function anySaid(random: Random): Said {
  if (random.int(0, 7) === 0) {
    return { kind: "bytes", base64: base64(random.bytes(random.int(0, 300))) };
  }
  const isUsual = random.int(0, 2) > 0;
  const [action, payload] = anyMessage(random);
  const flips = random.int(0, 4) === 0 ? [random.int(0, 2000), random.int(0, 2000)] : [];
  return {
    kind: "frame",
    header: {
      kind: isUsual ? random.pick(["request", "one-way"]) : random.pick(kinds),
      correlationId: random.pick(numbers),
      action: random.int(0, 9) === 0 ? random.pick(names) : action,
      shard: random.pick(["", "", "", "uuid/0", ...names]),
      endpoint: isUsual ? 0 : random.pick(numbers),
      timeoutMs: random.pick([0, 1000, ...numbers]),
      part: isUsual ? 0 : random.pick(numbers),
      ...(random.int(0, 5) === 0 ? { from: random.pick(names) } : {}),
      ...(random.int(0, 5) === 0 ? { to: random.pick(names) } : {}),
    },
    base64: base64(payload),
    flips,
  };
}

/** Action with a body of its own, or of another action. */
function anyMessage(random: Random): readonly [string, Uint8Array] {
  const node = () => wireJson(anyNode(random));
  const { pick } = random;
  switch (random.int(0, 9)) {
    case 0:
      return [actions.submitTask, submission(random)];
    case 1:
      return [actions.managerTask, submission(random)];
    case 2: {
      const knownNodes = [node(), node()];
      return [actions.requestPeers, PeersRequest.encode({ node: node(), knownNodes }).finish()];
    }
    case 3:
      return [actions.join, JoinRequest.encode({ node: node(), clusterUuid: "x" }).finish()];
    case 4:
      return [actions.managerElected, ManagerElected.encode({ node: node() }).finish()];
    case 5:
      return [pick([actions.consensus, actions.consensusSnapshot]), raft(random)];
    case 6: {
      const body = wireJson(anyJson(random));
      const asked = [actions.reroute, actions.restoreSnapshot, actions.putRepository] as const;
      return [pick(asked), ManagerRequest.encode({ body }).finish()];
    }
    case 7: {
      const parameters = wireJson(anyJson(random));
      const asked = [actions.clusterState, actions.nodeStats, actions.danglingIndices] as const;
      return [pick(asked), NodeRequest.encode({ parameters }).finish()];
    }
    case 8: {
      const problem = { type: "x", status: pick(numbers) % 2 ** 32, metadata: { kind: 99 } };
      const report = { index: "i", indexUuid: "u", shard: pick(numbers) % 2 ** 32, problem };
      const broken = { kind: 7, keys: ["a", "b"], items: [{ kind: 4, text: "x" }] };
      const shard = ShardAdminRequest.encode({ index: "i", parameters: broken }).finish();
      return pick([
        [actions.shardFailed, ShardFailedRequest.encode(report).finish()],
        [actions.stateApplied, StateApplied.encode({ index: pick(numbers) }).finish()],
        [actions.shardStats, shard],
      ] as const);
    }
    default:
      return [pick(Object.values(actions)), random.bytes(random.int(0, 200))];
  }
}

function submission(random: Random): Uint8Array {
  // Task that would be executed if the sender were trusted.
  const settings = { "cluster.max_shards_per_node": String(random.int(1000, 9999)) };
  const valid = { kind: "update-cluster-settings", persistent: settings, transient: {} };
  const kind = random.pick(["delete-index", "create-index", "node-left", "put-mapping", "x"]);
  const wrong = { kind, ...(anyJson(random) as object) };
  const task = random.int(0, 1) === 0 ? valid : wrong;
  const entry = utf8Encode(`\u0001${JSON.stringify({ tasks: [task] })}`);
  const limits = { managerTimeoutMs: 100, ackTimeoutMs: 100 };
  const priority = random.pick(["", "URGENT", "LAST"]);
  return SubmitTaskRequest.encode({
    id: `fuzz-${random.int(0, 1e9)}`,
    task: entry,
    priority,
    ...limits,
  }).finish();
}

function raft(random: Random): Uint8Array {
  const any = (): number => random.pick([0, 1, 2, 3, 5, 100, 2 ** 31]);
  const kind = random.pick(["MsgApp", "MsgProp", "MsgVote", "MsgHeartbeat", "MsgSnap"] as const);
  const proposal = Proposal.encode({ entry: random.bytes(9), taskIds: [] }).finish();
  const data = random.pick([proposal, random.bytes(2)]);
  const entries = [{ kind: "EntryNormal" as const, term: any(), index: any(), data }];
  const [to, from, term] = [random.int(0, 4), random.int(0, 4), any()];
  return encodeRaftMessage({
    ...{ kind, to, from, term, entries, index: any(), logTerm: any(), commit: any() },
    ...{ vote: 0, reject: random.int(0, 1) === 1, rejectHint: any(), responses: [] },
    ...{ snapshot: undefined, context: undefined },
  });
}

function anyNode(random: Random): unknown {
  const whole = {
    ...{ id: "visitor-id", name: "visitor", ephemeralId: "e", hostName: "h", hostAddress: "h" },
    ...{ transportAddress: "visitor", roles: ["data"], attributes: {}, version: "3.8.0" },
  };
  return random.pick<unknown>([
    whole,
    { id: "x" },
    { ...whole, [random.pick(Object.keys(whole))]: 7 },
  ]);
}

function anyJson(random: Random): unknown {
  const value = (): unknown =>
    random.pick<unknown>([null, 0, -1, 1e300, "", "*", true, [], {}, [[]], ...names]);
  const keys = ["index", "uuid", "name", "nowMs", "commands", "patterns", "metrics", "settings"];
  return Object.fromEntries(keys.filter(() => random.int(0, 1) === 1).map((key) => [key, value()]));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
