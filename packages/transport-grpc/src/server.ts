/** The accepting end: one gRPC server on one port. Sockets without an open stream are limited in number and time. */
import { createServer, type AddressInfo, type Server as Listener, type Socket } from "node:net";
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
  readonly moreHosts: readonly string[];
  readonly port: number;
  readonly queueBytes: number;
  readonly channelOptions: ChannelOptions;
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly onOpened: (connection: StreamConnection) => void;
  readonly onEnded: (connection: StreamConnection) => void;
}

export interface RunningServer {
  readonly port: number;
  /** Closes the port and all streams at once. */
  stop(): void;
}

/**
 * Starts to listen for connections of other nodes.
 * @throws OperationError The address cannot be bound, for instance because the port is in use.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, moreHosts, port } = options;
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
          onEnded: (connection) => {
            sockets.ended(connection.connection.remote);
            options.onEnded(connection);
          },
        }),
    },
  );
  // gRPC's own listener does not report a socket before its first request.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const accepted = (socket: Socket): void => {
    socket.setKeepAlive(true, keepAliveMs);
    sockets.accepted(socket);
    injector.injectConnection(socket);
  };
  const first = await listen(accepted, host, port);
  const listeners = [first];
  const { port: boundPort } = first.address() as AddressInfo;
  const stop = (): void => {
    for (const listener of listeners) listener.close();
    server.forceShutdown();
  };
  try {
    for (const other of moreHosts) listeners.push(await listen(accepted, other, boundPort));
  } catch (error) {
    stop();
    throw error;
  }
  return { port: boundPort, stop };
}

function listen(accepted: (socket: Socket) => void, host: string, port: number): Promise<Listener> {
  const listener = createServer(accepted);
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    listener.once("error", (error) => reject(cannotBind(address, error)));
    listener.listen(port, host, () => resolve(listener));
  });
}

/** The accepted sockets, by peer. */
interface Sockets {
  accepted(socket: Socket): void;
  /** A connection of this peer has opened, or ended. */
  opened(peer: string): void;
  ended(peer: string): void;
  /** Closes the peer's socket at once. */
  cut(peer: string): void;
}

/** Peers are named `address:port`, as gRPC names them. */
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
    accepted(socket) {
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
    ended(peer) {
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
    // The connecting end sends a greeting, then a proof.
    openingFrames: 2,
    stream: {
      write: (packet, done) => void call.write(packet, done),
      end: () => call.end(),
      // Destroying a call leaves its stream open. A node has no other stream on the socket, which can be closed.
      cancel: () => options.cut(remote),
    },
    onEnded: () => options.onEnded(end),
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
  // The response headers open the connection at the other end.
  call.sendMetadata(call.metadata.clone());
  end.opened();
}

function cannotBind(address: string, cause: NodeJS.ErrnoException): OperationError {
  const why = bindProblems.get(cause.code ?? "") ?? cause.message;
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${address}]: ${why}`,
    status: 500,
  });
}

const bindProblems: ReadonlyMap<string, string> = new Map([
  ["EADDRINUSE", "the port is in use"],
  ["EADDRNOTAVAIL", "this machine has no such address"],
]);
