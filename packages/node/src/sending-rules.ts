/**
 * The rules of which frames an authenticated peer may send, by the rows of the actions; applied to each frame from
 * the network.
 */
import type { Frame } from "@orrery/ports";
import type { ActionRow } from "@orrery/protocol";
import type { Problem } from "@orrery/stdx";
import type { Greeting } from "./handshake.ts";

export interface SendingRules {
  /** The problem of a frame; `undefined`: the peer may send it. */
  refusal(frame: Frame, peer: Greeting): Problem | undefined;
}

/** The rules of which peer may send which action, by the rows of all actions. */
export function createSendingRules(rows: ReadonlyMap<string, ActionRow>): SendingRules {
  return {
    refusal: ({ action, shard, caller }, { node, isRemote = false }) => {
      // An unknown action is answered as unknown by the endpoint.
      const sender = rows.get(action)?.sender ?? "nodes";
      if (sender === "self") return refused(action, "only the node itself sends it");
      // Principals are those of a cluster's own clients; shards are reached through the node that was asked.
      if (isRemote && caller.principal !== undefined)
        return refused(action, "clients of other clusters name no principal of this one");
      if (isRemote)
        return sender === "nodes and clients" && shard === ""
          ? undefined
          : refused(action, "clients of other clusters do not send it");
      if (sender === "candidates" && !node.roles.includes("cluster_manager"))
        return refused(action, "only who may be elected cluster manager sends it");
      return undefined;
    },
  };
}

function refused(action: string, why: string): Problem {
  const reason = `action [${action}] is not this peer's to send: ${why}`;
  return { type: "security_exception", reason, status: 403, isRetryable: false };
}
