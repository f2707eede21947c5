/** `--control PORT`: what can be done to the cluster, by `GET` or `POST /VERB/ARGUMENT…?key=value`, answered when it is done. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { OperationError, isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { host } from "./cluster-plan.ts";
import { UnknownVerbError, type ControlRoom } from "./control-room.ts";
import { UsageError } from "./usage.ts";

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

export async function serveControl(port: number, room: ControlRoom): Promise<Server> {
  const server = createServer((request, response) => {
    void answerTo(request, room).then(({ status, body }) => {
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(`${JSON.stringify(body)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(new UsageError(`the control port [${port}] is taken`)));
    server.listen(port, host, resolve);
  });
  return server;
}

async function answerTo(request: IncomingMessage, room: ControlRoom): Promise<Answer> {
  const { method = "" } = request;
  if (method !== "GET" && method !== "POST")
    return { status: 405, body: { error: `[${method}] is not understood: use GET or POST` } };
  try {
    const url = new URL(request.url ?? "/", `http://${host}`);
    const [verb = "", ...args] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    if (verb === "")
      throw new UnknownVerbError(
        "expected /VERB and its arguments, such as /stop/2 or /partition/1; /list tells what there is",
      );
    const values = { ...Object.fromEntries(url.searchParams), ...(await bodyOf(request)) };
    return { status: 200, body: await room.act(verb, args.filter(Boolean), values) };
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): Answer {
  const status = error instanceof UnknownVerbError ? 404 : 400;
  if (error instanceof OperationError)
    return { status, body: { error: error.problem.reason ?? error.problem.type } };
  return { status, body: { error: error instanceof Error ? error.message : String(error) } };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8").trim();
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
