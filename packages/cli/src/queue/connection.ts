/** Connection to a queue: a lost one is reported and retried, and given up after a time. */
import { Redis } from "ioredis";
import { UsageError } from "../usage.ts";
import type { QueueAddress } from "./address.ts";

export interface Connection {
  readonly redis: Redis;
  readonly shown: string;
  /** Another connection of the same kind, for commands that block; closed with this one. */
  another(): Redis;
  /** Resolves with the reason when the connection is given up. */
  readonly lost: Promise<string>;
  close(): void;
}

export interface ConnectionTimes {
  /** Time until the first connection must be there. */
  readonly firstMs: number;
  /** Time for which a lost connection is retried. */
  readonly retryMs: number;
  /** Time without a byte from the server after which a connection counts as lost. */
  readonly silenceMs: number;
}

const TIMES: ConnectionTimes = { firstMs: 10_000, retryMs: 60_000, silenceMs: 20_000 };

/** Connects. Throws `UsageError` if the server cannot be reached, or rejects the password. */
export async function connect(
  { shown, options }: QueueAddress,
  say: (line: string) => void,
  times: ConnectionTimes = TIMES,
): Promise<Connection> {
  const create = (): Redis =>
    new Redis({
      ...options,
      lazyConnect: true,
      // Commands wait for the next connection; `lost` ends the wait.
      maxRetriesPerRequest: null,
      // Servers and proxies of every age speak it.
      protocol: 2,
      retryStrategy: (attempt: number) => Math.min(100 * attempt, 1000),
      socketTimeout: times.silenceMs,
    });
  const redis = create();
  const others: Redis[] = [];
  await firstConnection(redis, { shown, say, firstMs: times.firstMs });
  const lost = watch(redis, { shown, say, retryMs: times.retryMs });
  return {
    redis,
    shown,
    lost,
    another: () => {
      const other = create();
      // The first connection reports the loss of the server.
      other.on("error", () => undefined);
      others.push(other);
      return other;
    },
    close: () => {
      redis.removeAllListeners("close");
      for (const one of [redis, ...others]) one.disconnect();
    },
  };
}

async function firstConnection(
  redis: Redis,
  {
    shown,
    say,
    firstMs,
  }: { readonly shown: string; readonly say: (line: string) => void; readonly firstMs: number },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let trouble = "";
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(trouble === "" ? `no answer within ${firstMs / 1000} s` : trouble)),
        firstMs,
      );
      redis.on("error", (error: Error) => {
        const isFirst = trouble === "";
        trouble = reasonOf(error);
        // Waiting makes no password right, no database exist, and no other server a queue.
        if (/WRONGPASS|NOAUTH|NOPERM|invalid password|DB index|RESP type/i.test(trouble))
          reject(error);
        else if (isFirst)
          say(
            `no connection to the queue [${shown}] yet: ${trouble}; retrying for ${firstMs / 1000} s`,
          );
      });
      redis.once("ready", resolve);
      redis.connect().catch(() => undefined);
    });
  } catch (error) {
    redis.disconnect();
    throw new UsageError(`no connection to the queue [${shown}]: ${reasonOf(error as Error)}`);
  } finally {
    clearTimeout(timer);
    // An error without a listener is printed with its stack.
    redis.removeAllListeners("error").on("error", () => undefined);
  }
}

/** Text of an error. Errors of several addresses have none of their own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return (error.errors as Error[]).map(reasonOf).join(", ");
  return error.message === "" ? error.name : error.message;
}

function watch(
  redis: Redis,
  {
    shown,
    say,
    retryMs,
  }: { readonly shown: string; readonly say: (line: string) => void; readonly retryMs: number },
): Promise<string> {
  let reason = "the server closed it";
  redis.on("error", (error: Error) => {
    reason = reasonOf(error);
  });
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    redis.on("close", () => {
      if (timer !== undefined) return;
      say(`the connection to the queue [${shown}] is lost; retrying for ${retryMs / 1000} s`);
      timer = setTimeout(
        () =>
          resolve(
            `the connection to the queue [${shown}] was lost for ${retryMs / 1000} s: ${reason}`,
          ),
        retryMs,
      );
    });
    redis.on("ready", () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      say(`the connection to the queue [${shown}] is back`);
    });
  });
}
