/** Address of a queue: a URL of Redis or Valkey. Texts for users show it without its password. */
import { UsageError } from "../usage.ts";

export interface QueueAddress {
  /** Address without user and password. */
  readonly shown: string;
  readonly options: ServerOptions;
}

interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
}

/** Environment variable of the password: other users of the machine can read command lines. */
const PASSWORD = "ORRERY_QUEUE_PASSWORD";

/** Parses `redis://[USER[:PASSWORD]@]HOST[:PORT][/DB]`, or `rediss://` for TLS. Throws `UsageError`. */
export function readAddress(text: string, env: NodeJS.ProcessEnv = process.env): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isTls = url?.protocol === "rediss:";
  const database = /^\/?(\d{0,5})$/.exec(url?.pathname ?? "-")?.[1];
  const isRedis = url !== undefined && (isTls || url.protocol === "redis:") && url.hostname !== "";
  if (!isRedis || database === undefined || url.search !== "" || url.hash !== "")
    throw new UsageError(
      `[--queue] must be of the form [redis://HOST:PORT], with [rediss] for TLS; the given text is not repeated, as it may hold a password`,
    );
  const [username, password] = [url.username, url.password].map(decoded);
  // An empty variable is one that is not set.
  const secret = [env[PASSWORD], password].find((one) => one !== undefined && one !== "");
  return {
    shown: `${url.protocol}//${url.host}${database === "" ? "" : `/${database}`}`,
    options: {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? 6379 : Number(url.port),
      db: Number(database),
      ...(username === "" || username === undefined ? {} : { username }),
      ...(secret === undefined ? {} : { password: secret }),
      ...(isTls ? { tls: {} } : {}),
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
