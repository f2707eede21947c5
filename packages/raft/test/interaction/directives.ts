/** The directives of the interaction transcripts: one function per command, with the arguments upstream knows. */
import { describeProgressStatus } from "../../src/describe-progress.ts";
import {
  confChangesFromText,
  confChangeV1,
  confChangeV2,
  describeMessage,
  emptyConfState,
  messageKinds,
  newMessage,
} from "../../src/index.ts";
import { isVoter } from "../../src/tracker.ts";
import type { ConfChangeTransition, MessageKind, ReadOnlyOption } from "../../src/types.ts";
import type { Argument, Directive } from "../transcript.ts";
import {
  addNodes,
  check,
  createEnvironment,
  deliverMessages,
  nodeAt,
  printLog,
  processAppendThread,
  processApplyThread,
  processReady,
  stabilize,
  textBytes,
  TranscriptError,
  type ConfigChoices,
  type Environment,
  type Recipient,
} from "./environment.ts";

type Handler = (env: Environment, directive: Directive) => void;

/** A fresh environment; what each directive prints is returned. */
export function createInteraction(): (directive: Directive) => string {
  const env = createEnvironment();
  return (directive) => {
    env.output.take();
    try {
      const handler = handlers[directive.command];
      if (handler === undefined) throw new TranscriptError("unknown command");
      handler(env, directive);
    } catch (error) {
      if (!(error instanceof TranscriptError)) throw error;
      // Errors are printed even when everything else is silenced.
      if (env.output.isQuiet()) return error.message;
      env.output.write(error.message);
    }
    return env.output.take() || "ok";
  };
}

const handlers: Readonly<Record<string, Handler>> = {
  _breakpoint: () => {},
  "add-nodes": addNodesFromArguments,
  campaign: (env, directive) => check(firstNode(env, directive).rawNode.campaign()),
  compact: (env, directive) => {
    const { storage } = firstNode(env, directive);
    if (storage.compact(Number(directive.arguments[1]?.key)) === "compacted") {
      throw new TranscriptError("requested index is unavailable due to compaction");
    }
    printLog(env, firstId(directive));
  },
  "deliver-msgs": deliver,
  "process-ready": (env, directive) => eachNode(env, directive, "handling Ready", processReady),
  "process-append-thread": (env, directive) =>
    eachNode(env, directive, "processing append thread", processAppendThread),
  "process-apply-thread": (env, directive) =>
    eachNode(env, directive, "processing apply thread", processApplyThread),
  "log-level": (env, directive) => setLevel(env, directive.arguments[0]?.key ?? ""),
  "raft-log": (env, directive) => printLog(env, firstId(directive)),
  "raft-state": printStates,
  "set-randomized-election-timeout": (env, directive) => {
    firstNode(env, directive).raft.randomizedElectionTimeout = numberOf(directive, "timeout");
  },
  stabilize: stabilizeNodes,
  status: (env, directive) => {
    for (const [id, progress] of firstNode(env, directive).rawNode.status().progress) {
      env.output.write(`${id}: ${describeProgressStatus(progress)}\n`);
    }
  },
  "tick-election": (env, directive) => {
    const { rawNode, config } = firstNode(env, directive);
    for (let tick = 0; tick < config.electionTick; tick += 1) rawNode.tick();
  },
  "tick-heartbeat": (env, directive) => {
    const { rawNode, config } = firstNode(env, directive);
    for (let tick = 0; tick < config.heartbeatTick; tick += 1) rawNode.tick();
  },
  "transfer-leadership": (env, directive) => {
    nodeAt(env, numberOf(directive, "from")).rawNode.transferLeader(numberOf(directive, "to"));
  },
  "forget-leader": (env, directive) => check(firstNode(env, directive).rawNode.forgetLeader()),
  "send-snapshot": sendSnapshot,
  propose: (env, directive) => {
    const [, data] = directive.arguments;
    if (directive.arguments.length !== 2 || data === undefined || data.values.length > 0) {
      throw new Error("propose takes a node and the data");
    }
    check(firstNode(env, directive).rawNode.propose(textBytes(data.key)));
  },
  "propose-conf-change": proposeConfChange,
  "report-unreachable": (env, directive) => {
    const [reporter, reported, ...others] = nodeIds(directive);
    if (reporter === undefined || reported === undefined || others.length > 0) {
      throw new TranscriptError(
        "must specify exactly two node indexes: node on which to report, and reported node",
      );
    }
    nodeAt(env, reporter).rawNode.reportUnreachable(reported);
  },
};

function addNodesFromArguments(env: Environment, directive: Directive): void {
  const words = directive.arguments.slice(1);
  const valuesOf = (key: string): readonly string[] =>
    words.find((word) => word.key === key)?.values ?? [];
  const voters = valuesOf("voters").map(Number);
  const learners = valuesOf("learners").map(Number);
  const index = Number(valuesOf("index")[0] ?? 0);
  const content = valuesOf("content")[0] ?? "";
  const choices: ConfigChoices = Object.assign(
    {},
    ...words.map(({ key, values }) => choice(key, values.at(-1) ?? "")),
  );
  const confState = { ...emptyConfState, voters, learners };
  const isBootstrapped = index > 0 || content !== "" || voters.length + learners.length > 0;
  const snapshot = { index, term: 1, confState, data: textBytes(content) };
  addNodes(
    env,
    firstId(directive),
    { ...choices, applied: index },
    isBootstrapped ? snapshot : undefined,
  );
}

function choice(key: string, value: string): ConfigChoices {
  switch (key) {
    case "inflight":
      return { maxInflightMsgs: Number(value) };
    case "async-storage-writes":
      return { asyncStorageWrites: parseBoolean(value) };
    case "prevote":
      return { preVote: parseBoolean(value) };
    case "checkquorum":
      return { checkQuorum: parseBoolean(value) };
    case "max-committed-size-per-ready":
      return { maxCommittedSizePerReady: Number(value) };
    case "disable-conf-change-validation":
      return { disableConfChangeValidation: parseBoolean(value) };
    case "step-down-on-removal":
      return { stepDownOnRemoval: parseBoolean(value) };
    case "read-only":
      return { readOnlyOption: parseReadOnly(value) };
    default:
      return {};
  }
}

function parseReadOnly(value: string): ReadOnlyOption {
  if (value === "safe" || value === "lease-based") return value;
  throw new TranscriptError(`invalid read-only option "${value}"`);
}

function deliver(env: Environment, directive: Directive): void {
  let kind: MessageKind | undefined;
  const recipients: Recipient[] = [];
  for (const { key, values } of directive.arguments) {
    if (values.length === 0) recipients.push({ id: Number(key), drop: false });
    for (const value of values) {
      if (key === "type") kind = parseKind(value);
      if (key === "drop") recipients.push({ id: Number(value), drop: true });
    }
  }
  if (deliverMessages(env, kind, recipients) === 0) env.output.write("no messages\n");
}

function parseKind(text: string): MessageKind {
  const kind = messageKinds.find((each) => each === text);
  if (kind === undefined) throw new Error(`unknown message type ${text}`);
  return kind;
}

function printStates(env: Environment): void {
  for (const { rawNode } of env.nodes) {
    const { id, softState, hardState, configuration } = rawNode.status();
    const voter = isVoter(configuration, id) ? "(Voter)" : "(Non-Voter)";
    env.output.write(
      `${id}: ${softState.role} ${voter} Term:${hardState.term} Lead:${softState.lead}\n`,
    );
  }
}

function stabilizeNodes(env: Environment, directive: Directive): void {
  const ids = nodeIds(directive);
  const before = env.output.level;
  const level = directive.arguments.find(({ key }) => key === "log-level");
  if (level !== undefined) setLevel(env, level.values[0] ?? "");
  try {
    stabilize(env, ids.length > 0 ? ids : env.nodes.map((_, at) => at + 1));
  } finally {
    env.output.level = before;
  }
}

function sendSnapshot(env: Environment, directive: Directive): void {
  const [from, to] = nodeIds(directive);
  if (from === undefined || to === undefined) throw new Error("send-snapshot takes two nodes");
  const { storage, rawNode } = nodeAt(env, from);
  const snapshot = storage.snapshot();
  if (snapshot === "unavailable") throw new TranscriptError("snapshot is temporarily unavailable");
  const { term } = rawNode.basicStatus().hardState;
  const message = newMessage({ kind: "MsgSnap", term, from, to, snapshot });
  env.messages.push(message);
  env.output.write(describeMessage(message));
}

const transitions: Readonly<Record<string, ConfChangeTransition>> = {
  auto: "ConfChangeTransitionAuto",
  implicit: "ConfChangeTransitionJointImplicit",
  explicit: "ConfChangeTransitionJointExplicit",
};

function proposeConfChange(env: Environment, directive: Directive): void {
  let isV1 = false;
  let transition: ConfChangeTransition = "ConfChangeTransitionAuto";
  for (const { key, values } of directive.arguments.slice(1)) {
    for (const value of values) {
      if (key === "v1") isV1 = parseBoolean(value);
      else if (key === "transition") transition = parseTransition(value);
      else throw new TranscriptError(`unknown command ${key}`);
    }
  }
  const changes = confChangesFromText(directive.input);
  if (typeof changes === "string") throw new TranscriptError(changes);
  const { rawNode } = firstNode(env, directive);
  if (!isV1) {
    check(rawNode.proposeConfChange(confChangeV2(changes, transition)));
    return;
  }
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || transition !== "ConfChangeTransitionAuto") {
    throw new TranscriptError("v1 conf change can only have one operation and no transition");
  }
  check(rawNode.proposeConfChange(confChangeV1(change.type, change.nodeId)));
}

function parseTransition(text: string): ConfChangeTransition {
  const transition = transitions[text];
  if (transition === undefined) throw new TranscriptError(`unknown transition ${text}`);
  return transition;
}

function setLevel(env: Environment, name: string): void {
  const complaint = env.output.setLevel(name);
  if (complaint !== undefined) throw new TranscriptError(complaint);
}

function eachNode(
  env: Environment,
  directive: Directive,
  title: string,
  run: (env: Environment, id: number) => void,
): void {
  const ids = nodeIds(directive);
  for (const id of ids) {
    if (ids.length === 1) {
      run(env, id);
      continue;
    }
    env.output.write(`> ${id} ${title}\n`);
    env.output.withIndent(() => run(env, id));
  }
}

function nodeIds(directive: Directive): number[] {
  return directive.arguments
    .filter(({ values }) => values.length === 0)
    .map(({ key }) => Number(key));
}

function firstId(directive: Directive): number {
  return Number(directive.arguments[0]?.key);
}

function firstNode(env: Environment, directive: Directive): ReturnType<typeof nodeAt> {
  return nodeAt(env, firstId(directive));
}

function numberOf(directive: Directive, key: string): number {
  const argument: Argument | undefined = directive.arguments.find((each) => each.key === key);
  const value = Number(argument?.values[0]);
  if (!(value > 0)) throw new Error(`expected a valid "${key}" argument`);
  return value;
}

function parseBoolean(text: string): boolean {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  if (["0", "f", "F", "FALSE", "false", "False"].includes(text)) return false;
  throw new TranscriptError(`strconv.ParseBool: parsing "${text}": invalid syntax`);
}
