/** The Network port over gRPC: one bidirectional stream for each peer and channel class. */
import { logVerbosity, setLogVerbosity, type ChannelOptions } from "@grpc/grpc-js";
import { openingBytesMost, type Network } from "@orrery/ports";
import { openConnection } from "./client.ts";
import type { StreamConnection } from "./connection.ts";
import { startServer, type RunningServer } from "./server.ts";

export interface GrpcNetworkOptions {
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

const channelOptions: ChannelOptions = {
  // A packet is a piece of a large frame, or holds small ones of which the last is no longer than a piece.
  "grpc.max_receive_message_length": openingBytesMost,
  "grpc.max_send_message_length": -1,
  "grpc.enable_channelz": 0,
};

/** A node has one stream on a connection. */
const serverOptions: ChannelOptions = { "grpc.max_concurrent_streams": 4 };

export function createGrpcNetwork(options: GrpcNetworkOptions): Network {
  // What goes wrong is told as an event or an error; the library must not write to stderr as well.
  setLogVerbosity(logVerbosity.NONE);
  const { queueBytes = defaultQueueBytes, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const open = new Set<StreamConnection>();
  let server: RunningServer | undefined;
  const onOpened = (connection: StreamConnection): void => void open.add(connection);
  let onEmpty: (() => void) | undefined;
  const onOver = (connection: StreamConnection): void => {
    open.delete(connection);
    if (open.size === 0) onEmpty?.();
  };

  return {
    async listen(accept) {
      const { host, port } = options;
      const common = {
        queueBytes,
        channelOptions: { ...channelOptions, ...serverOptions },
        onOpened,
        onOver,
      };
      server = await startServer({ ...common, host, port, accept });
      const publishHost = options.publishHost ?? host;
      return `${publishHost.includes(":") ? `[${publishHost}]` : publishHost}:${server.port}`;
    },
    connect(address, channel, events) {
      const common = { queueBytes, channelOptions, connectTimeoutMs, onOver };
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
