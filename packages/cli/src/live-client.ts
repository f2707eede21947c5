/** Client of a live world: HTTP requests, on separate connections for each node. */
import { Agent, request as httpRequest } from "node:http";
import type { TraceEvent } from "@orrery/ports";
import type { ClientAnswer, ClientRequest, World } from "@orrery/scenario";
import type { Json } from "@orrery/stdx";
import { host } from "./cluster-plan.ts";
import type { LiveTime } from "./live-world.ts";
import type { ManagedNode } from "./managed-node.ts";

export function createClient(
  nodeOf: (node: string) => ManagedNode,
  record: (event: TraceEvent) => void,
  time: LiveTime,
): World["request"] {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  time.signal.addEventListener("abort", () => agent.destroy());
  return async (client, node, what) => {
    const id = client.next;
    client.next += 1;
    const operation = `${what.method} ${what.uri}`;
    record({ kind: "client-request", client: client.name, id, operation });
    const answer = await send(nodeOf(node), what, agent, time);
    const status = answer?.status ?? 0;
    const outcome = answer === undefined ? "unknown" : status < 300 ? "ok" : "failed";
    record({ kind: "client-response", client: client.name, id, status, outcome });
    return answer;
  };
}

const refused: ClientAnswer = { status: 503, body: "connection refused", isRefused: true };

function send(
  { plan }: ManagedNode,
  { method, uri, body, timeoutMs }: ClientRequest,
  agent: Agent,
  { signal }: LiveTime,
): Promise<ClientAnswer | undefined> {
  return new Promise((resolve) => {
    // A world that has ended sends no requests.
    if (signal.aborted) return;
    const end = (answer: ClientAnswer | undefined): void => {
      clearTimeout(timer);
      if (!signal.aborted) resolve(answer);
    };
    const type = uri.includes("_bulk") ? "application/x-ndjson" : "application/json";
    // Node's HTTP client sends no content length for the body of a DELETE.
    const headers =
      body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
    const request = httpRequest(
      { host, port: plan.httpPort, method, path: uri, headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => end(undefined));
        response.on("aborted", () => end(undefined));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          end({ status: response.statusCode ?? 0, body: parse(text) });
        });
      },
    );
    const timer = setTimeout(() => {
      end(undefined);
      request.destroy();
    }, timeoutMs);
    request.on("error", (error: NodeJS.ErrnoException) =>
      // A refused connection proves that nothing was executed; after any other error the outcome is unknown.
      end(error.code === "ECONNREFUSED" ? refused : undefined),
    );
    request.end(body);
  });
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
