/** The Network port over WebSocket: one socket for each peer and channel class, one binary message for each frame. */
import { hostname } from "node:os";
import type { Network } from "@orrery/ports";
import { openConnection } from "./client.ts";
import type { SocketConnection } from "./connection.ts";
import { startServer, type RunningServer } from "./server.ts";

export interface WebsocketNetworkOptions {
  /** Where to listen. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** What peers are told to connect to, when that is not `host`. */
  readonly publishHost?: string;
  /** How much one direction of a connection may hold before `send` answers `full`. */
  readonly queueBytes?: number;
  readonly connectTimeoutMs?: number;
}

const defaultQueueBytes = 32 * 1024 * 1024;
const defaultConnectTimeoutMs = 30_000;
/** How long a close waits for the last frames to leave. */
const closeMs = 200;

export function createWebsocketNetwork(options: WebsocketNetworkOptions): Network {
  const { queueBytes = defaultQueueBytes, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const open = new Set<SocketConnection>();
  let server: RunningServer | undefined;
  let onEmpty: (() => void) | undefined;
  const onOpened = (connection: SocketConnection): void => void open.add(connection);
  const onOver = (connection: SocketConnection): void => {
    open.delete(connection);
    if (open.size === 0) onEmpty?.();
  };

  return {
    async listen(accept) {
      const { host, port } = options;
      const publishHost = options.publishHost ?? host;
      const ownNames = [host, publishHost, hostname()].map((name) => name.toLowerCase());
      server = await startServer({ queueBytes, onOpened, onOver, host, port, ownNames, accept });
      return `${publishHost.includes(":") ? `[${publishHost}]` : publishHost}:${server.port}`;
    },
    connect(address, channel, events) {
      const common = { queueBytes, connectTimeoutMs, onOver };
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
