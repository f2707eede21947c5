/** Visitor of one node's transport: connects, performs the handshake of its kind, sends the bytes of the case. */
import { connectingHandshake, type ConnectingHandshake } from "@orrery/node";
import { encodeFrame, type Connection, type Network, type Trust } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";
import { bytesOf, type Said, type TransportCase } from "./case.ts";

export interface VisitOptions {
  readonly network: Network;
  /** Address of the visited node, and its identity. */
  readonly address: string;
  readonly nodeId: string;
  /** Trust with the cluster's secret, and with another one. */
  readonly trust: Trust;
  readonly wrongTrust: Trust;
  readonly clusterName: string;
}

export interface Visit {
  /** True when everything has been sent, or the node has closed the connection. */
  readonly isOver: () => boolean;
  leave(): void;
}

export function visit(options: VisitOptions, given: TransportCase): Visit {
  const { network, address, nodeId } = options;
  const { visitor, channel, said } = given;
  let isOver = false;
  let connection: Connection | undefined;
  const end = (): void => {
    isOver = true;
  };
  const speak = (): void => {
    for (const one of said) connection?.send(frameOf(one, nodeId));
    end();
  };
  /** Greets, answers the welcome with the result of `answer`, and continues as if accepted. */
  const greet = (
    hello: Uint8Array,
    answer: (welcome: Uint8Array) => Uint8Array,
    afterwards: () => void,
  ): void => {
    let isGreeted = false;
    const own: Connection = network.connect(address, channel, {
      onFrame: (bytes) => {
        if (isGreeted) return;
        isGreeted = true;
        own.send(answer(bytes));
        afterwards();
      },
      onClose: () => {
        if (connection === own) end();
      },
    });
    connection = own;
    own.send(hello);
  };
  if (visitor === "nobody") {
    connection = network.connect(address, channel, { onFrame: () => undefined, onClose: end });
    speak();
  } else {
    const shaking = handshakeOf(options, given);
    let told = shaking.hello;
    const proof = (welcome: Uint8Array): Uint8Array => {
      const step = shaking.take(welcome);
      const isBelieved = step.kind === "authenticated" && step.reply !== undefined;
      // A visitor that rejects the node's proof continues with an invalid proof.
      told = isBelieved ? step.reply : proofOf(options.wrongTrust.nonce());
      return visitor === "partial" ? told.subarray(0, told.length - 1 - (said.length % 32)) : told;
    };
    if (visitor === "replayer") {
      greet(shaking.hello, proof, () => {
        const first = connection;
        // The recorded proof, in response to another nonce.
        greet(shaking.hello, () => told, speak);
        first?.close();
      });
    } else greet(shaking.hello, proof, speak);
  }
  return { isOver: () => isOver, leave: () => connection?.close() };
}

function handshakeOf(
  { trust, wrongTrust, clusterName }: VisitOptions,
  { visitor, channel }: TransportCase,
): ConnectingHandshake {
  const isElectable = visitor !== "data-node";
  return connectingHandshake({
    trust: visitor === "liar" ? wrongTrust : trust,
    channel,
    greeting: {
      clusterName,
      node: {
        ...{ id: "visitor-id" as NodeId, name: "visitor", ephemeralId: "visit" },
        ...{ hostName: "visitor", hostAddress: "127.0.0.1", transportAddress: "visitor" },
        ...{ httpAddress: undefined, roles: isElectable ? ["cluster_manager", "data"] : ["data"] },
        ...{ attributes: {}, version: "3.8.0" },
      },
      ...(visitor === "client" ? { isRemote: true } : {}),
    },
  });
}

function proofOf(payload: Uint8Array): Uint8Array {
  const header = { kind: "request", correlationId: 0, from: "visitor-id", to: "" } as const;
  const action = "internal:transport/handshake";
  return encodeFrame({ ...header, endpoint: 0, action, shard: "", timeoutMs: 0 }, payload);
}

export function frameOf(said: Said, nodeId: string): Uint8Array {
  if (said.kind === "bytes") return bytesOf(said.base64);
  const usual = { correlationId: 1, from: "visitor-id", to: nodeId, endpoint: 0, action: "" };
  const header = { ...usual, shard: "", timeoutMs: 0, ...said.header };
  const frame = encodeFrame(header, bytesOf(said.base64));
  for (const bit of said.flips) {
    const at = (bit >> 3) % frame.length;
    frame[at] = (frame[at] ?? 0) ^ (1 << (bit & 7));
  }
  return frame;
}
