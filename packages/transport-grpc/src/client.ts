/** The connecting end: a gRPC channel and stream for each connection, so that no channel class waits behind another. */
import {
  Client,
  credentials,
  Metadata,
  type ChannelOptions,
  type ServiceError,
} from "@grpc/grpc-js";
import { keepAliveMs, type ChannelClass, type ConnectionEvents } from "@orrery/ports";
import { createConnection, type StreamConnection } from "./connection.ts";
import { connectMethod } from "./packet.ts";

/**
 * Time for the answer to a keep-alive ping: longer than fault detection tolerates a stalled node, which is thus
 * removed first.
 */
const KEEP_ALIVE_ANSWER_MS = 60_000;

export interface ClientOptions {
  readonly address: string;
  readonly channel: ChannelClass;
  readonly queueBytes: number;
  /** Time for the other end to accept the stream. */
  readonly connectTimeoutMs: number;
  readonly channelOptions: ChannelOptions;
  /** The stream has ended; called once. */
  readonly onEnded: (connection: StreamConnection) => void;
}

/** Starts to connect; the result accepts frames at once, which wait until the stream is open. */
export function openConnection(options: ClientOptions, events: ConnectionEvents): StreamConnection {
  const { address, channel } = options;
  const client = new Client(address, credentials.createInsecure(), {
    ...options.channelOptions,
    "grpc.keepalive_time_ms": keepAliveMs,
    "grpc.keepalive_timeout_ms": KEEP_ALIVE_ANSWER_MS,
    "grpc.enable_http_proxy": 0,
    "grpc.enable_retries": 0,
    "grpc.retry_buffer_size": 0,
    "grpc.per_rpc_retry_buffer_size": 0,
    "grpc.service_config_disable_resolution": 1,
    "grpc.use_local_subchannel_pool": 1,
  });
  const metadata = new Metadata();
  metadata.set("channel", channel);
  const { path, requestSerialize, responseDeserialize } = connectMethod;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);

  const opening = setTimeout(() => {
    ended(`connection to [${address}] timed out after [${options.connectTimeoutMs}ms]`);
    call.cancel();
  }, options.connectTimeoutMs).unref();
  const ended = (reason: string): void => {
    clearTimeout(opening);
    end.lost(reason);
    client.close();
  };
  const end: StreamConnection = createConnection({
    channel,
    remote: address,
    queueBytes: options.queueBytes,
    // The accepting end sends one frame before the handshake ends: its greeting with its proof.
    openingFrames: 1,
    stream: {
      write: (packet, done) => void call.write(packet, done),
      end: () => void call.end(),
      cancel: () => call.cancel(),
    },
    onEnded: () => options.onEnded(end),
  });
  end.attach(events);

  call.on("metadata", () => {
    clearTimeout(opening);
    end.opened();
  });
  call.on("data", end.received);
  call.on("error", (error: ServiceError) =>
    ended(`connection to [${address}] lost: ${error.details}`),
  );
  call.on("status", () => ended(`closed by [${address}]`));
  return end;
}
