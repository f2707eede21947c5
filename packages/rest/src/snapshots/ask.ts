/** Requests to the elected cluster manager for operations on repositories and snapshots. */
import type { Cluster, Managed, ManagedOperation } from "@orrery/node";
import type { JsonObject } from "@orrery/stdx";
import { managerTimeoutMs, type ManagerTimeout, type Parsed } from "../parameters.ts";

/**
 * Sends the operation without a limit on its duration: long work either acknowledges at its start or is awaited by
 * another request.
 */
export function ask<Operation extends ManagedOperation>(
  cluster: Cluster,
  operation: Operation,
  request: JsonObject,
  query: Parsed<ManagerTimeout> & { readonly timeout?: number },
): Promise<Managed<Operation>> {
  const { timeout } = query;
  const limits = { managerTimeoutMs: managerTimeoutMs(query), workTimeoutMs: -1 };
  const ackTimeoutMs = timeout === undefined ? {} : { ackTimeoutMs: timeout };
  return cluster.manage(operation, { ...request, ...ackTimeoutMs }, limits);
}
