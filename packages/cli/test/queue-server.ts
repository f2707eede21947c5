/** Server of a queue for tests: Valkey or Redis, whichever is on the path. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";

/** Program of the server; `undefined` if there is none. */
export const serverProgram: string | undefined = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => ["valkey-server", "redis-server"].map((name) => join(folder, name)))
  .find((file) => existsSync(file));

export interface QueueServer {
  readonly port: number;
  readonly url: string;
  /** Kills the server, as a loss of its machine does; what it held is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

export async function startQueueServer(password?: string): Promise<QueueServer> {
  const port = await freePort();
  const secret = password === undefined ? [] : ["--requirepass", password];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(
      serverProgram ?? "",
      [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        ...secret,
      ],
      { stdio: "ignore" },
    );
    const redis = new Redis({ port, ...(password === undefined ? {} : { password }) });
    redis.on("error", () => undefined);
    await new Promise<void>((resolve) => redis.once("ready", resolve));
    redis.disconnect();
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    kill: async () => {
      const ended = child;
      child = undefined;
      if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
      ended.kill("SIGKILL");
      await once(ended, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
