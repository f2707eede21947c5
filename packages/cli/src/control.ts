/**
 * HTTP server of `--control PORT`: `POST /VERB/ARGUMENT…?key=value` executes a verb and responds when it is done; `GET`
 * serves verbs that only read. Each request is bounded in size and time, and checked by the guard before its body is
 * read.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { host } from "./cluster-plan.ts";
import { refusalOf } from "./control-guard.ts";
import { UnknownVerbError, type ClusterControl } from "./cluster-control.ts";
import { sentenceOf, UsageError } from "./usage.ts";

export interface ControlOptions {
  /** Port; 0: any free one. */
  readonly port: number;
  readonly clusterControl: ClusterControl;
  /** Token that every request must carry. */
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

const LARGEST_BODY_BYTES = 64 * 1024;
const MOST_CONNECTIONS = 64;
/** Time limits for receiving a request. */
const limits = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
};

class TooLargeError extends UsageError {}

export async function serveControl({
  port,
  clusterControl,
  token,
}: ControlOptions): Promise<Server> {
  const server = createServer(limits, (request, response) => {
    const { port: own } = server.address() as AddressInfo;
    void answerTo(request, { port: own, clusterControl, token }).then((answer) =>
      send(response, answer),
    );
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(new UsageError(`the control port [${port}] is taken`)));
    server.listen(port, host, resolve);
  });
  return server;
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  // The unread rest of a body would be parsed as the next request.
  const closing = response.req.complete ? {} : { connection: "close" };
  response
    .writeHead(status, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...closing,
      ...headers,
    })
    .end(`${JSON.stringify(body)}\n`);
}

async function answerTo(request: IncomingMessage, options: ControlOptions): Promise<Answer> {
  const { method = "", url = "", headers, rawHeaders } = request;
  try {
    const [asked = ""] = url.slice(1).split(/[/?]/);
    const refused = refusalOf({ method, verb: asked, headers, rawHeaders }, options);
    if (refused !== undefined)
      return { status: refused.status, body: { error: refused.error }, headers: refused.headers };
    const [verb = "", ...args] = pathOf(url);
    if (verb === "")
      throw new UnknownVerbError(
        "expected /VERB and its arguments, such as /stop/2 or /partition/1; /list tells what there is",
      );
    const values = merged(queryOf(url), await bodyOf(request));
    return {
      status: 200,
      body: await options.clusterControl.act(verb, args.filter(Boolean), values),
    };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Answer {
  const sentence = sentenceOf(error);
  if (sentence === undefined) {
    process.stderr.write(`orrery: control: ${String(error)}\n`);
    return {
      status: 500,
      body: { error: "this failed inside orrery: its standard error says how" },
    };
  }
  if (error instanceof TooLargeError) return { status: 413, body: { error: sentence } };
  return { status: error instanceof UnknownVerbError ? 404 : 400, body: { error: sentence } };
}

/** Path segments. A whole URL is only meant for proxies, and is rejected. */
function pathOf(url: string): readonly string[] {
  const [path = ""] = url.split("?");
  if (!path.startsWith("/")) return [""];
  try {
    return path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    throw new UsageError("the path is not well encoded: [%] begins two hexadecimal digits");
  }
}

function queryOf(url: string): JsonObject {
  const at = url.indexOf("?");
  const pairs = [...new URLSearchParams(at < 0 ? "" : url.slice(at + 1))];
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`[${twice}] is given more than once`);
  return Object.fromEntries(pairs);
}

function merged(query: JsonObject, body: JsonObject): JsonObject {
  const twice = Object.keys(query).find((name) => Object.hasOwn(body, name));
  if (twice !== undefined) throw new UsageError(`[${twice}] is given more than once`);
  return { ...query, ...body };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const text = (await bytesOf(request)).toString("utf8").trim();
  if (text === "") return {};
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    throw new UsageError("the body is not JSON");
  }
  if (!isJsonObject(body)) throw new UsageError("the body must be a JSON object");
  return body;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new TooLargeError(`a body holds at most ${LARGEST_BODY_BYTES} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The connection must remain open for the error response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > LARGEST_BODY_BYTES) throw tooLarge;
    }
  } catch (error) {
    throw error === tooLarge ? error : new UsageError("the request ended before it was whole");
  }
  return Buffer.concat(chunks);
}
