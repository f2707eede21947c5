/**
 * How two nodes come to believe each other, on every connection anew: no frame is looked at before.
 *
 * The one that connects says hello with a nonce; the other answers with a nonce of its own and a proof; the first proves itself and
 * may go on at once. A proof is a keyed hash of who proves (its label), of the channel class and of both greetings as they were sent,
 * nonces included: it is good for this connection and this end alone. Nothing here waits or sends.
 * See docs/adr/0008-peers-prove-the-clusters-secret.md.
 */
import { nodeProblem, type DiscoveryNode } from "@orrery/cluster-state";
import {
  decodeFrame,
  encodeFrame,
  readProblem,
  type ChannelClass,
  type Frame,
  type FrameKind,
  type Trust,
  type TrustKey,
} from "@orrery/ports";
import {
  bytesToBase64Url,
  concatBytes,
  OperationError,
  problemOf,
  utf8Decode,
  utf8Encode,
  type Problem,
} from "@orrery/stdx";

export const handshakeAction = "internal:transport/handshake";

export interface Greeting {
  readonly clusterName: string;
  readonly node: DiscoveryNode;
  /** Its sender is a client of this cluster, not a node of it. */
  readonly isRemote?: boolean;
}

export interface HandshakeOptions {
  readonly trust: Trust;
  /** Of this node. */
  readonly greeting: Greeting;
  readonly channel: ChannelClass;
  /** Of the end that accepts: why the one that connects is not who it says, whatever it proves. */
  readonly screen?: (theirs: Greeting) => Problem | undefined;
}

/**
 * What the other end's frame comes to. `refused` ends the connection, after `reply` if there is one: the problem is this end's own,
 * which is told, or what the other end told.
 */
export type HandshakeStep =
  | { readonly kind: "go-on"; readonly reply: Uint8Array; readonly greeting: Greeting }
  | { readonly kind: "believed"; readonly greeting: Greeting; readonly reply?: Uint8Array }
  | { readonly kind: "refused"; readonly problem: Problem; readonly reply?: Uint8Array };

export interface ConnectingHandshake {
  readonly hello: Uint8Array;
  /** Its one answer. */
  take(bytes: Uint8Array): HandshakeStep;
}

export interface AcceptingHandshake {
  /** The hello, then the proof. */
  take(bytes: Uint8Array): HandshakeStep;
}

const PROOF_BYTES = 32;
/** A greeting is some hundred bytes; whoever sends more means no greeting. */
const GREETING_BYTES_MOST = 64 * 1024;

export function connectingHandshake(options: HandshakeOptions): ConnectingHandshake {
  const { trust, greeting } = options;
  const nonce = bytesToBase64Url(trust.nonce());
  const hello = utf8Encode(JSON.stringify({ ...greeting, nonce }));
  const key = keyFor(greeting);
  return {
    hello: handshakeFrame("request", greeting.node.id, hello),
    take: (bytes) =>
      guarded(() => {
        const frame = takeFrame(bytes, "response");
        const [proof, welcome] = split(frame.payload);
        const answer = readGreeting(welcome);
        if (answer.nonce === nonce) throw corrupted("a handshake with itself");
        const { clusterName } = answer.greeting;
        if (greeting.isRemote !== true && clusterName !== greeting.clusterName)
          throw new OperationError(otherCluster(clusterName, greeting.clusterName));
        const said = { channel: options.channel, hello, welcome };
        if (!isProof(trust, key, proof, transcript("accepting", said))) {
          throw new OperationError(notProved(answer.greeting));
        }
        const own = trust.prove(key, transcript("connecting", said));
        const reply = handshakeFrame("request", greeting.node.id, own);
        return { kind: "believed", greeting: answer.greeting, reply };
      }),
  };
}

export function acceptingHandshake(options: HandshakeOptions): AcceptingHandshake {
  const { trust, greeting } = options;
  let greeted: { readonly greeting: Greeting; readonly said: Said } | undefined;

  const answer = (frame: Frame): HandshakeStep => {
    const hello = frame.payload;
    const { greeting: theirs } = readGreeting(hello);
    const problem = options.screen?.(theirs);
    if (problem !== undefined) throw new OperationError(problem);
    const key = keyFor(theirs);
    const nonce = bytesToBase64Url(trust.nonce());
    const welcome = utf8Encode(JSON.stringify({ ...greeting, nonce }));
    const said = { channel: options.channel, hello, welcome };
    greeted = { greeting: theirs, said };
    // Without a secret of its own there is nothing to prove; the answer still says who is here.
    const proof = trust.has(key)
      ? trust.prove(key, transcript("accepting", said))
      : new Uint8Array(PROOF_BYTES);
    const payload = concatBytes([proof, welcome]);
    const reply = handshakeFrame("response", greeting.node.id, payload);
    return { kind: "go-on", reply, greeting: theirs };
  };

  return {
    take: (bytes) =>
      guarded(() => {
        const frame = takeFrame(bytes, "request");
        if (greeted === undefined) return answer(frame);
        const { greeting: theirs, said } = greeted;
        if (!isProof(trust, keyFor(theirs), frame.payload, transcript("connecting", said))) {
          throw new OperationError(notProved(theirs));
        }
        if (theirs.isRemote !== true && theirs.clusterName !== greeting.clusterName) {
          throw new OperationError(otherCluster(theirs.clusterName, greeting.clusterName));
        }
        return { kind: "believed", greeting: theirs };
      }),
  };
}

function otherCluster(remote: string, local: string): Problem {
  const reason = `remote cluster name [${remote}] does not match local cluster name [${local}]`;
  return { type: "illegal_state_exception", reason, status: 500 };
}

function notProved({ clusterName, node, isRemote }: Greeting): Problem {
  const what = isRemote === true ? "that clients of this cluster have" : "of this node's cluster";
  const reason = `[${node.name}] of cluster [${clusterName}] has not proved the secret ${what}`;
  return { type: "security_exception", reason, status: 403 };
}

function keyFor({ isRemote }: Greeting): TrustKey {
  return isRemote === true ? "client" : "member";
}

/** Both greetings as they were sent. */
interface Said {
  readonly channel: ChannelClass;
  readonly hello: Uint8Array;
  readonly welcome: Uint8Array;
}

/** Lengths come before what they are of, so that no two conversations have the same transcript. */
function transcript(
  who: "connecting" | "accepting",
  { channel, hello, welcome }: Said,
): Uint8Array {
  const head = `orrery handshake 1\n${who}\n${channel}\n${hello.length}\n${welcome.length}\n`;
  return concatBytes([utf8Encode(head), hello, welcome]);
}

function isProof(trust: Trust, key: TrustKey, given: Uint8Array, said: Uint8Array): boolean {
  if (!trust.has(key) || given.length !== PROOF_BYTES) return false;
  const wanted = trust.prove(key, said);
  // As long for a proof that is wrong at its first byte as for one that is wrong at its last.
  let difference = wanted.length ^ given.length;
  for (let i = 0; i < PROOF_BYTES; i += 1) difference |= (wanted[i] ?? 0) ^ (given[i] ?? 0);
  return difference === 0;
}

/** What the other end may have sent in the place of a handshake is an answer like any other. */
function guarded(step: () => HandshakeStep): HandshakeStep {
  try {
    return step();
  } catch (error) {
    const problem = problemOf(error);
    if (error instanceof ToldError) return { kind: "refused", problem };
    return { kind: "refused", problem, reply: refusalFrame(problem) };
  }
}

/** The other end said so. */
class ToldError extends OperationError {}

function takeFrame(bytes: Uint8Array, kind: FrameKind): Frame {
  const frame = decodeFrame(bytes);
  const isShort = frame.payload.length <= GREETING_BYTES_MOST;
  if (frame.kind === "error" && frame.action === handshakeAction && isShort)
    throw new ToldError(readProblem(utf8Decode(frame.payload)));
  if (frame.kind !== kind || frame.action !== handshakeAction || !isShort)
    throw corrupted("a message before the handshake was over");
  return frame;
}

function split(payload: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [payload.subarray(0, PROOF_BYTES), payload.subarray(PROOF_BYTES)];
}

/** Throws `OperationError` when the payload is no greeting. */
function readGreeting(payload: Uint8Array): {
  readonly greeting: Greeting;
  readonly nonce: string;
} {
  const content = parseJson(payload) as Partial<Greeting & { readonly nonce: string }> | null;
  const { clusterName, node, isRemote, nonce } = content ?? {};
  const isNamed = typeof clusterName === "string" && clusterName !== "" && clusterName.length < 256;
  const isNew = typeof nonce === "string" && /^[\w-]{22,64}$/.test(nonce);
  if (node === undefined || nodeProblem(node) !== undefined || !isNamed || !isNew)
    throw corrupted("a handshake that names no cluster or no node");
  return { greeting: { clusterName, node, ...(isRemote === true ? { isRemote } : {}) }, nonce };
}

function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(utf8Decode(payload));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

function corrupted(reason: string): OperationError {
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}

/** Tells the other end why its connection ends. */
function refusalFrame(problem: Problem): Uint8Array {
  return handshakeFrame("error", "", utf8Encode(JSON.stringify(problem)));
}

function handshakeFrame(kind: FrameKind, from: string, payload: Uint8Array): Uint8Array {
  const action = handshakeAction;
  const header = { kind, correlationId: 0, from, to: "", endpoint: 0, action, shard: "" } as const;
  return encodeFrame({ ...header, timeoutMs: 0 }, payload);
}
