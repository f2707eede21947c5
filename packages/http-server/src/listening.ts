/** Listening on one port of several addresses. */
import type { Server } from "node:http";
import type { Server as Listener } from "node:net";
import { OperationError } from "@orrery/stdx";

const { createServer } = process.getBuiltinModule("node:net");

export interface ListenOptions {
  /** Addresses; the server itself listens on the first. */
  readonly hosts: readonly string[];
  /** 0: any free port, the same one on all addresses. */
  readonly port: number;
  /** Limit for each further address. */
  readonly maxConnections: number;
}

/**
 * Listens on all addresses. Returns the listeners besides the server itself, which pass their connections to it.
 * @throws OperationError An address cannot be bound; none is bound then.
 */
export async function listenOnAll(
  server: Server,
  { hosts: [first = "", ...others], port, maxConnections }: ListenOptions,
): Promise<readonly Listener[]> {
  await listen(server, first, port);
  const bound = server.address();
  const chosenPort = typeof bound === "object" && bound !== null ? bound.port : port;
  const listeners: Listener[] = [];
  try {
    for (const host of others) {
      // As HTTP servers set it: a client may close its side before the response.
      const listener = createServer({ allowHalfOpen: true }, (socket) => {
        server.emit("connection", socket);
      });
      listener.maxConnections = maxConnections;
      await listen(listener, host, chosenPort);
      listeners.push(listener);
    }
  } catch (error) {
    for (const listener of [server, ...listeners]) listener.close();
    throw error;
  }
  return listeners;
}

/** Stops listening; resolves when all connections have ended. */
export function closeListener(listener: Listener): Promise<void> {
  return new Promise((resolve) => {
    listener.close(() => resolve());
  });
}

function listen(listener: Listener, host: string, port: number): Promise<void> {
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    listener.once("error", ({ code = "", message }: NodeJS.ErrnoException) => {
      const reason =
        code === "EADDRINUSE"
          ? `the HTTP address [${address}] is taken`
          : `cannot serve HTTP on [${address}]: ${bindProblems.get(code) ?? message}`;
      reject(new OperationError({ type: "bind_http_exception", reason, status: 500 }));
    });
    listener.listen(port, host, resolve);
  });
}

const bindProblems: ReadonlyMap<string, string> = new Map([
  ["EADDRNOTAVAIL", "this machine has no such address"],
  ["EACCES", "this user must not listen on the port"],
]);
