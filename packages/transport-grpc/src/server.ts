/** The end that accepts connections: one gRPC server on one port, whose sockets are counted until something is open on them. */
import { createServer, type AddressInfo, type Socket } from "node:net";
import {
  Server,
  ServerCredentials,
  status,
  type ChannelOptions,
  type ServerDuplexStream,
} from "@grpc/grpc-js";
import {
  channelClasses,
  createUnopenedSockets,
  keepAliveMs,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
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
  const { host, port } = options;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const server = new Server(options.channelOptions);
  const sockets = createSockets();
  server.addService(
    { connect: { ...connectMethod, originalName: "Connect" } },
    {
      connect: (call: ServerDuplexStream<Packet, Packet>) =>
        acceptCall(call, {
          ...options,
          onOpened: (connection) => {
            sockets.opened(call.getPeer());
            options.onOpened(connection);
          },
          cut: sockets.cut,
          onOver: (connection) => {
            sockets.over(connection.connection.remote);
            options.onOver(connection);
          },
        }),
    },
  );
  // gRPC's own listener tells nobody of a socket before something is asked on it.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    socket.setKeepAlive(true, keepAliveMs);
    sockets.came(socket);
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", (error) => reject(cannotBind(address, error)));
    listener.listen(port, host, resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    stop: () => {
      listener.close();
      server.forceShutdown();
    },
  };
}

interface Sockets {
  came(socket: Socket): void;
  /** A connection of this peer is open, or over. */
  opened(peer: string): void;
  over(peer: string): void;
  /** Breaks off whatever is open there. */
  cut(peer: string): void;
}

/** Sockets by their peer, as gRPC names it: those on which nothing is open do not stay. */
function createSockets(): Sockets {
  const byPeer = new Map<string, { readonly socket: Socket; connections: number }>();
  const unopened = createUnopenedSockets<Socket>({
    setTimer: (ms, run) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
    cut: (socket) => void socket.destroy(),
  });
  return {
    came(socket) {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      byPeer.set(peer, { socket, connections: 0 });
      unopened.enter(socket);
      socket.once("close", () => {
        unopened.leave(socket);
        if (byPeer.get(peer)?.socket === socket) byPeer.delete(peer);
      });
    },
    opened(peer) {
      const entry = byPeer.get(peer);
      if (entry === undefined) return;
      entry.connections += 1;
      unopened.leave(entry.socket);
    },
    over(peer) {
      const entry = byPeer.get(peer);
      if (entry === undefined) return;
      entry.connections -= 1;
      if (entry.connections === 0) unopened.enter(entry.socket);
    },
    cut: (peer) => void byPeer.get(peer)?.socket.destroy(),
  };
}

interface AcceptOptions extends ServerOptions {
  readonly cut: (peer: string) => void;
}

function acceptCall(call: ServerDuplexStream<Packet, Packet>, options: AcceptOptions): void {
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
    // A greeting, then a proof.
    openingFrames: 2,
    stream: {
      write: (packet, done) => void call.write(packet, done),
      end: () => call.end(),
      // A call that is destroyed leaves its stream open. A node has no other one on this socket.
      cancel: () => options.cut(remote),
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
