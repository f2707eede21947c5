/** The Network port over WebSocket: one socket for each peer and channel class, one binary message for each frame. */
import { hostname } from "node:os";
import type { Network } from "@orrery/ports";
import { openConnection } from "./client.ts";
import type { SocketConnection } from "./connection.ts";
import { startServer, type RunningServer } from "./server.ts";

export interface WebsocketNetworkOptions {
  /** Address to bind. */
  readonly host: string;
  /** Other addresses to bind, with the same port. */
  readonly moreHosts?: readonly string[];
  /** 0 binds any free port. */
  readonly port: number;
  /** Host name or address under which peers reach this node; default: that of `host`. */
  readonly publishHost?: string;
  /** Port under which peers reach this node; default: the bound one. */
  readonly publishPort?: number;
  /** Bytes that one direction of a connection may queue before `send` returns `full`; default: 32 MiB. */
  readonly queueBytes?: number;
  /** Time after which an outgoing connection that is not established is closed; default: 30 s. */
  readonly connectTimeoutMs?: number;
}

const defaultQueueBytes = 32 * 1024 * 1024;
const defaultConnectTimeoutMs = 30_000;
/** Time for which `close` waits for the last frames. */
const closeMs = 200;

export function createWebsocketNetwork(options: WebsocketNetworkOptions): Network {
  const { queueBytes = defaultQueueBytes, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const open = new Set<SocketConnection>();
  let server: RunningServer | undefined;
  let onEmpty: (() => void) | undefined;
  const onOpened = (connection: SocketConnection): void => void open.add(connection);
  const onEnded = (connection: SocketConnection): void => {
    open.delete(connection);
    if (open.size === 0) onEmpty?.();
  };

  return {
    async listen(accept) {
      const { host, moreHosts = [], port } = options;
      const publishHost = options.publishHost ?? host;
      const ownNames = [host, publishHost, hostname()].map((name) => name.toLowerCase());
      server = await startServer({
        ...{ queueBytes, onOpened, onEnded },
        ...{ host, moreHosts, port, ownNames, accept },
      });
      const publishPort = options.publishPort ?? server.port;
      return `${publishHost.includes(":") ? `[${publishHost}]` : publishHost}:${publishPort}`;
    },
    connect(address, channel, events) {
      const common = { queueBytes, connectTimeoutMs, onEnded };
      const end = openConnection({ ...common, address, channel }, events);
      open.add(end);
      return end.connection;
    },
    async close() {
      server?.stop();
      server = undefined;
      for (const { connection } of open) connection.close();
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        setTimeout(resolve, closeMs);
      });
      for (const end of open) end.terminate();
    },
  };
}
