/** The Network port over gRPC: one bidirectional stream per peer and channel class. */
import { logVerbosity, setLogVerbosity, type ChannelOptions } from "@grpc/grpc-js";
import { openingBytesMost, type Network } from "@orrery/ports";
import { openConnection } from "./client.ts";
import type { StreamConnection } from "./connection.ts";
import { startServer, type RunningServer } from "./server.ts";

export interface GrpcNetworkOptions {
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

const channelOptions: ChannelOptions = {
  // A packet is a piece of a large frame, or small frames of which the last is no longer than a piece.
  "grpc.max_receive_message_length": openingBytesMost,
  "grpc.max_send_message_length": -1,
  "grpc.enable_channelz": 0,
};

/** A node opens one stream per HTTP/2 connection. */
const serverOptions: ChannelOptions = { "grpc.max_concurrent_streams": 4 };

export function createGrpcNetwork(options: GrpcNetworkOptions): Network {
  // Failures are reported as events or errors; the library must not write them to stderr, too.
  setLogVerbosity(logVerbosity.NONE);
  const { queueBytes = defaultQueueBytes, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const open = new Set<StreamConnection>();
  let server: RunningServer | undefined;
  const onOpened = (connection: StreamConnection): void => void open.add(connection);
  let onEmpty: (() => void) | undefined;
  const onEnded = (connection: StreamConnection): void => {
    open.delete(connection);
    if (open.size === 0) onEmpty?.();
  };

  return {
    async listen(accept) {
      const { host, moreHosts = [], port } = options;
      const common = {
        queueBytes,
        channelOptions: { ...channelOptions, ...serverOptions },
        onOpened,
        onEnded,
      };
      server = await startServer({ ...common, host, moreHosts, port, accept });
      const publishHost = options.publishHost ?? host;
      const publishPort = options.publishPort ?? server.port;
      return `${publishHost.includes(":") ? `[${publishHost}]` : publishHost}:${publishPort}`;
    },
    connect(address, channel, events) {
      const common = { queueBytes, channelOptions, connectTimeoutMs, onEnded };
      const end = openConnection({ ...common, address, channel }, events);
      open.add(end);
      return end.connection;
    },
    async close() {
      for (const { connection } of open) connection.close();
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          onEmpty = resolve;
          setTimeout(resolve, closeMs);
        });
      server?.stop();
      server = undefined;
    },
  };
}
