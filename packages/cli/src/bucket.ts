/**
 * Bucket of S3, or of a server that speaks its protocol. Credentials, region and endpoint are those of the environment, by
 * the names that all clients of S3 use.
 */
import { readFileSync } from "node:fs";
import { AwsClient } from "aws4fetch";
import { UsageError } from "./usage.ts";

export interface Bucket {
  /** Throws `UsageError` if nothing can be written. */
  check(): Promise<void>;
  /** Writes a file; returns its address. */
  put(name: string, path: string): Promise<string>;
}

/** A bundle larger than this has to be uploaded in several parts. */
const MOST_BYTES = 5 * 2 ** 30;
/** Repetitions of a request that the server could not answer, with growing pauses. */
const RETRIES = 4;

/**
 * Opens `s3://BUCKET/PREFIX`, the value of an option. Throws `UsageError` if it is invalid or credentials are missing.
 */
export function openBucket(
  address: string,
  option: string,
  env: NodeJS.ProcessEnv = process.env,
): Bucket {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(address);
  if (match === null)
    throw new UsageError(`[${option}] must be a folder or [s3://BUCKET/PREFIX], not [${address}]`);
  const [, name = "", prefix = ""] = match;
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new UsageError(
      `[${option} ${address}] needs the credentials AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  const sessionToken = env["AWS_SESSION_TOKEN"];
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: "s3", retries: RETRIES },
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const base = baseOf(name, region, env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"]);
  const keyOf = (file: string): string => (prefix === "" ? file : `${prefix}/${file}`);
  const send = async (method: "PUT" | "DELETE", key: string, body?: Buffer<ArrayBuffer>) => {
    const url = `${base}/${key.split("/").map(encodeURIComponent).join("/")}`;
    const response = await client.fetch(url, { method, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(reasonOf(response.status, text));
  };
  return {
    check: async () => {
      const key = keyOf(".orrery");
      try {
        await send("PUT", key, Buffer.from("\n"));
      } catch (error) {
        throw new UsageError(`[${address}] cannot be written: ${messageOf(error)}`);
      }
      // Not every role may delete.
      await send("DELETE", key).catch(() => undefined);
    },
    put: async (file, path) => {
      const bytes = readFileSync(path);
      if (bytes.length > MOST_BYTES) throw new Error(`it has ${bytes.length} bytes`);
      await send("PUT", keyOf(file), bytes);
      return `s3://${name}/${keyOf(file)}`;
    },
  };
}

/** URL of the bucket. Servers of one's own have no host name for each bucket; certificates match no name with dots. */
function baseOf(name: string, region: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${name}`;
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return name.includes(".")
    ? `https://s3.${region}.${domain}/${name}`
    : `https://${name}.s3.${region}.${domain}`;
}

/** Code and message of an error of S3, which is XML; else its status. */
function reasonOf(status: number, text: string): string {
  const code = /<Code>([^<]{1,300})/.exec(text)?.[1];
  const message = /<Message>([^<]{1,300})/.exec(text)?.[1];
  return [`status ${status}`, code, message].filter((part) => part !== undefined).join(", ");
}

/** Message of an error. The one of a failed connection is in its cause. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
