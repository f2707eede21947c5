/**
 * The handshake by which two nodes authenticate each other, on every connection anew; no frame is read before. A
 * state machine, which neither waits nor sends.
 *
 * 1. The connecting end sends a hello: its greeting, with a nonce.
 * 2. The accepting end answers with its greeting, a nonce of its own, and a proof.
 * 3. The connecting end verifies, sends its proof, and may send frames at once.
 *
 * A proof is a keyed hash of the prover's label, the channel class and both greetings as sent, nonces included: valid
 * for this connection and this end alone. See docs/adr/0008-peers-prove-the-clusters-secret.md.
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

/** One end's claim of its identity. */
export interface Greeting {
  readonly clusterName: string;
  readonly node: DiscoveryNode;
  /** The sender is a client of this cluster, not a node of it. */
  readonly isRemote?: boolean;
}

export interface HandshakeOptions {
  readonly trust: Trust;
  /** This node's own greeting. */
  readonly greeting: Greeting;
  readonly channel: ChannelClass;
  /** At the accepting end: the problem of a peer that cannot be the node it claims to be, whatever it proves. */
  readonly screen?: (theirs: Greeting) => Problem | undefined;
}

/**
 * The outcome of one frame. continue: another frame is needed. authenticated: the peer has proved its greeting.
 * refused: the connection ends after `reply`; without a reply the refusal is the peer's.
 */
export type HandshakeStep =
  | { readonly kind: "continue"; readonly reply: Uint8Array; readonly greeting: Greeting }
  | { readonly kind: "authenticated"; readonly greeting: Greeting; readonly reply?: Uint8Array }
  | { readonly kind: "refused"; readonly problem: Problem; readonly reply?: Uint8Array };

/** The handshake at the end that opens the connection. */
export interface ConnectingHandshake {
  readonly hello: Uint8Array;
  /** Takes the answer. */
  take(bytes: Uint8Array): HandshakeStep;
}

/** The handshake at the end that accepts the connection. */
export interface AcceptingHandshake {
  /** The hello, then the proof. */
  take(bytes: Uint8Array): HandshakeStep;
}

const PROOF_BYTES = 32;
/** A greeting has some hundred bytes; a longer frame is no greeting. */
const MAX_GREETING_BYTES = 64 * 1024;

/** Begins a handshake at the connecting end. */
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
        // The connection leads back to this node, or the peer reflects its hello.
        if (answer.nonce === nonce) throw corrupted("a handshake with itself");
        const { clusterName } = answer.greeting;
        if (greeting.isRemote !== true && clusterName !== greeting.clusterName)
          throw new OperationError(otherCluster(clusterName, greeting.clusterName));
        const greetings = { channel: options.channel, hello, welcome };
        if (!isProof(trust, key, proof, transcript("accepting", greetings))) {
          throw new OperationError(notProved(answer.greeting));
        }
        const own = trust.prove(key, transcript("connecting", greetings));
        const reply = handshakeFrame("request", greeting.node.id, own);
        return { kind: "authenticated", greeting: answer.greeting, reply };
      }),
  };
}

/**
 * Begins a handshake at the accepting end. The name of the peer's cluster is checked only after the peer has proved the
 * secret.
 */
export function acceptingHandshake(options: HandshakeOptions): AcceptingHandshake {
  const { trust, greeting } = options;
  let peer: { readonly greeting: Greeting; readonly greetings: Greetings } | undefined;

  const answer = (frame: Frame): HandshakeStep => {
    const hello = frame.payload;
    const { greeting: theirs } = readGreeting(hello);
    const problem = options.screen?.(theirs);
    if (problem !== undefined) throw new OperationError(problem);
    const key = keyFor(theirs);
    const nonce = bytesToBase64Url(trust.nonce());
    const welcome = utf8Encode(JSON.stringify({ ...greeting, nonce }));
    const greetings = { channel: options.channel, hello, welcome };
    peer = { greeting: theirs, greetings };
    // Without a secret of its own this end has nothing to prove; its greeting still says which node it is.
    const proof = trust.has(key)
      ? trust.prove(key, transcript("accepting", greetings))
      : new Uint8Array(PROOF_BYTES);
    const payload = concatBytes([proof, welcome]);
    const reply = handshakeFrame("response", greeting.node.id, payload);
    return { kind: "continue", reply, greeting: theirs };
  };

  return {
    take: (bytes) =>
      guarded(() => {
        const frame = takeFrame(bytes, "request");
        if (peer === undefined) return answer(frame);
        const { greeting: theirs, greetings } = peer;
        if (!isProof(trust, keyFor(theirs), frame.payload, transcript("connecting", greetings))) {
          throw new OperationError(notProved(theirs));
        }
        if (theirs.isRemote !== true && theirs.clusterName !== greeting.clusterName) {
          throw new OperationError(otherCluster(theirs.clusterName, greeting.clusterName));
        }
        return { kind: "authenticated", greeting: theirs };
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

/** Both greetings as sent, and the channel class. */
interface Greetings {
  readonly channel: ChannelClass;
  readonly hello: Uint8Array;
  readonly welcome: Uint8Array;
}

/** The bytes that a proof covers. Lengths precede the texts, so that no two handshakes have the same transcript. */
function transcript(
  who: "connecting" | "accepting",
  { channel, hello, welcome }: Greetings,
): Uint8Array {
  const head = `orrery handshake 1\n${who}\n${channel}\n${hello.length}\n${welcome.length}\n`;
  return concatBytes([utf8Encode(head), hello, welcome]);
}

/** Whether `given` proves the secret for the transcript `covered`. */
function isProof(trust: Trust, key: TrustKey, given: Uint8Array, covered: Uint8Array): boolean {
  if (!trust.has(key) || given.length !== PROOF_BYTES) return false;
  const wanted = trust.prove(key, covered);
  // In constant time: the time must not depend on the first wrong byte.
  let difference = wanted.length ^ given.length;
  for (let i = 0; i < PROOF_BYTES; i += 1) difference |= (wanted[i] ?? 0) ^ (given[i] ?? 0);
  return difference === 0;
}

/** Turns anything that a peer's frame makes throw into a refusal. */
function guarded(step: () => HandshakeStep): HandshakeStep {
  try {
    return step();
  } catch (error) {
    const problem = problemOf(error);
    if (error instanceof PeerRefusalError) return { kind: "refused", problem };
    return { kind: "refused", problem, reply: refusalFrame(problem) };
  }
}

/** The peer has refused this end. */
class PeerRefusalError extends OperationError {}

function takeFrame(bytes: Uint8Array, kind: FrameKind): Frame {
  const frame = decodeFrame(bytes);
  const isShort = frame.payload.length <= MAX_GREETING_BYTES;
  if (frame.kind === "error" && frame.action === handshakeAction && isShort)
    throw new PeerRefusalError(readProblem(utf8Decode(frame.payload)));
  if (frame.kind !== kind || frame.action !== handshakeAction || !isShort)
    throw corrupted("a message before the handshake was over");
  return frame;
}

function split(payload: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [payload.subarray(0, PROOF_BYTES), payload.subarray(PROOF_BYTES)];
}

/** @throws OperationError `stream_corrupted_exception`: the payload is no greeting. */
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

/** The reason for which this end closes the connection. */
function refusalFrame(problem: Problem): Uint8Array {
  return handshakeFrame("error", "", utf8Encode(JSON.stringify(problem)));
}

function handshakeFrame(kind: FrameKind, from: string, payload: Uint8Array): Uint8Array {
  const action = handshakeAction;
  const header = { kind, correlationId: 0, from, to: "", endpoint: 0, action, shard: "" } as const;
  return encodeFrame({ ...header, timeoutMs: 0 }, payload);
}
