/** A visitor at one node's transport: connects, shakes hands if that is who they are, sends what the case says. */
import { connectingHandshake } from "@orrery/node";
import { encodeFrame, type Connection, type Network, type Trust } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";
import { bytesOf, type Said, type TransportCase } from "./case.ts";

export interface VisitOptions {
  readonly network: Network;
  /** Where the visited node is, and who it is. */
  readonly address: string;
  readonly nodeId: string;
  /** With the cluster's secret, and with another. */
  readonly trust: Trust;
  readonly wrongTrust: Trust;
  readonly clusterName: string;
}

export interface Visit {
  /** All is said, or nobody listens any more. */
  readonly isOver: () => boolean;
  leave(): void;
}

export function visit(options: VisitOptions, given: TransportCase): Visit {
  const { network, address, nodeId } = options;
  const { visitor, channel, said } = given;
  let isOver = false;
  const speak = (connection: Connection): void => {
    for (const one of said) connection.send(frameOf(one, nodeId));
    isOver = true;
  };
  const handshake =
    visitor === "nobody"
      ? undefined
      : connectingHandshake({
          trust: visitor === "liar" ? options.wrongTrust : options.trust,
          channel,
          greeting: {
            clusterName: options.clusterName,
            node: {
              ...{ id: "visitor-id" as NodeId, name: "visitor", ephemeralId: "visit" },
              ...{ hostName: "visitor", hostAddress: "127.0.0.1", transportAddress: "visitor" },
              ...{ httpAddress: undefined, roles: ["cluster_manager", "data"] },
              ...{ attributes: {}, version: "3.8.0" },
            },
            ...(visitor === "client" ? { isRemote: true } : {}),
          },
        });
  let isGreeted = false;
  const connection = network.connect(address, channel, {
    onFrame: (bytes) => {
      if (handshake === undefined || isGreeted) return;
      isGreeted = true;
      const step = handshake.take(bytes);
      if (step.kind === "believed" && step.reply !== undefined) connection.send(step.reply);
      // Who does not believe the node goes on all the same, with a proof of nothing.
      else connection.send(proofOf(options.wrongTrust.nonce()));
      speak(connection);
    },
    onClose: () => {
      isOver = true;
    },
  });
  if (handshake === undefined) speak(connection);
  else connection.send(handshake.hello);
  return { isOver: () => isOver, leave: () => connection.close() };
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
