/** The end that accepts connections: one gRPC server on one port. */
import {
  Server,
  ServerCredentials,
  status,
  type ChannelOptions,
  type ServerDuplexStream,
} from "@grpc/grpc-js";
import { channelClasses, type Connection, type ConnectionEvents } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import { createConnection, type StreamConnection } from "./connection.ts";
import { connectMethod, type Packet } from "./packet.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly queueBytes: number;
  readonly channelOptions: ChannelOptions;
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly onOpened: (connection: StreamConnection) => void;
  readonly onOver: (connection: StreamConnection) => void;
}

export interface RunningServer {
  readonly port: number;
  /** Breaks off whatever still runs. */
  stop(): void;
}

/** Rejects with `OperationError` when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = new Server(options.channelOptions);
  server.addService(
    { connect: { ...connectMethod, originalName: "Connect" } },
    { connect: (call: ServerDuplexStream<Packet, Packet>) => acceptCall(call, options) },
  );
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(
      `${host}:${options.port}`,
      ServerCredentials.createInsecure(),
      (error, bound) => {
        if (error) reject(cannotBind(`${host}:${options.port}`, error));
        else resolve(bound);
      },
    );
  });
  return { port, stop: () => server.forceShutdown() };
}

function acceptCall(call: ServerDuplexStream<Packet, Packet>, options: ServerOptions): void {
  const name = String(call.metadata.get("channel")[0]);
  const channel = channelClasses.find((known) => known === name);
  if (channel === undefined) {
    const details = `unknown channel class [${name}]`;
    call.emit("error", { code: status.INVALID_ARGUMENT, details });
    return;
  }
  const remote = call.getPeer();
  const end: StreamConnection = createConnection({
    channel,
    remote,
    queueBytes: options.queueBytes,
    stream: {
      write: (packet, done) => void call.write(packet, done),
      end: () => call.end(),
      cancel: () => call.destroy(),
    },
    onOver: () => options.onOver(end),
  });
  options.onOpened(end);
  end.attach(options.accept(end.connection));
  call.on("data", end.received);
  call.on("end", () => {
    end.lost(`closed by [${remote}]`);
    call.end();
  });
  call.on("cancelled", () => end.lost(`connection to [${remote}] lost`));
  call.on("error", (error) => end.lost(`connection to [${remote}] lost: ${error.message}`));
  // The answer's headers tell the other end that frames can flow.
  call.sendMetadata(call.metadata.clone());
  end.opened();
}

function cannotBind(address: string, cause: Error): OperationError {
  const isTaken = cause.message.includes("EADDRINUSE");
  const why = isTaken ? "the port is in use" : cause.message;
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${address}]: ${why}`,
    status: 500,
  });
}
