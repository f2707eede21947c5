/** Requests of web pages, answered as OpenSearch 3.8.0 answered them: status, headers in their order, whether they reached an operation. */
import { connect } from "node:net";
import type { RestRequest, RestResponse } from "@orrery/rest";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../src/index.ts";

type Policy = NonNullable<HttpServerOptions["cors"]>;

const host = "127.0.0.1";
const page = "http://a.example";
const other = "http://evil.example";
const own = "http://OWN";
const listed: Policy = {
  origins: (origin) => origin === page,
  methods: ["GET", "POST", "PATCH"],
  headers: ["X-Requested-With", "Content-Type", "Content-Length"],
  allowsCredentials: false,
  maxAgeSeconds: 1728000,
};
const anyPage: Policy = { ...listed, origins: "any" };
const withCredentials: Policy = { ...listed, allowsCredentials: true, maxAgeSeconds: 5 };

const forbidden = ["403", "content-length: 0"];
const preflightOf = (origin: string): readonly string[] => [
  "200",
  `access-control-allow-origin: ${origin}`,
  ...(origin === "*" ? [] : ["vary: origin"]),
  "access-control-allow-methods: GET",
  "access-control-allow-methods: POST",
  "access-control-allow-methods: PATCH",
  "access-control-allow-headers: X-Requested-With",
  "access-control-allow-headers: Content-Length",
  "access-control-allow-headers: Content-Type",
  "access-control-max-age: 1728000",
  "date: ",
  "content-length: 0",
];
const allowedTo = (origin: string): readonly string[] => [
  "201",
  `access-control-allow-origin: ${origin}`,
  ...(origin === "*" ? [] : ["vary: origin"]),
  "content-length: 0",
];

const servers: HttpServer[] = [];
const asked: string[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  asked.length = 0;
});

const dispatch = async ({ method }: RestRequest): Promise<RestResponse> => {
  asked.push(method);
  return { status: 201, headers: { "content-length": "0" }, body: [] };
};

/** Status and headers as they came; of `date` only that it is there. */
async function ask(
  cors: Policy | undefined,
  method: string,
  headers: readonly string[],
): Promise<readonly string[]> {
  const server = await createHttpServer({ host, port: 0, dispatch, cors });
  servers.push(server);
  const address = `${host}:${server.port}`;
  const sent = [`${method} /index HTTP/1.1`, `Host: ${address}`, "Connection: close", ...headers];
  const text = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(server.port, host, () =>
      socket.write(`${sent.join("\r\n")}\r\n\r\n`.replaceAll("OWN", address)),
    );
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
  const [first = "", ...lines] = (text.split("\r\n\r\n")[0] ?? "").split("\r\n");
  const told = lines.filter((line) => !/^connection:/i.test(line));
  const named = told.map((line) => line.replace(/^date: .+/, "date: ").replace(address, "OWN"));
  return [first.split(" ")[1] ?? "", ...named];
}

const preflight = ["Access-Control-Request-Method: GET"];

test.each<[string, Policy | undefined, string, readonly string[], readonly string[]]>([
  [
    "nothing of a page, policy off",
    undefined,
    "GET",
    [`Origin: ${page}`],
    ["201", "content-length: 0"],
  ],
  ["no origin", listed, "GET", [], ["201", "content-length: 0"]],
  ["an empty origin", listed, "GET", ["Origin: "], ["201", "content-length: 0"]],
  ["a page that is allowed", listed, "GET", [`Origin: ${page}`], allowedTo(page)],
  ["another page", listed, "GET", [`Origin: ${other}`], forbidden],
  ["a page that differs in case", listed, "GET", [`Origin: ${page.toUpperCase()}`], forbidden],
  ["a page from a file", listed, "GET", ["Origin: null"], forbidden],
  ["the node's own page", listed, "GET", [`Origin: ${own}`], allowedTo(own)],
  ["its own page behind TLS", listed, "GET", ["Origin: https://OWN"], allowedTo("https://OWN")],
  ["its own name of another kind", listed, "GET", ["Origin: ftp://OWN"], forbidden],
  [
    "two, the first allowed",
    listed,
    "GET",
    [`Origin: ${page}`, `Origin: ${other}`],
    allowedTo(page),
  ],
  ["two, the second allowed", listed, "GET", [`Origin: ${other}`, `Origin: ${page}`], forbidden],
  ["a preflight", listed, "OPTIONS", [`Origin: ${page}`, ...preflight], preflightOf(page)],
  [
    "a preflight for no method",
    listed,
    "OPTIONS",
    [`Origin: ${page}`, "Access-Control-Request-Method: "],
    preflightOf(page),
  ],
  [
    "a preflight of its own page",
    listed,
    "OPTIONS",
    [`Origin: ${own}`, ...preflight],
    preflightOf(own),
  ],
  ["a preflight of another page", listed, "OPTIONS", [`Origin: ${other}`, ...preflight], forbidden],
  ["a preflight of no page", listed, "OPTIONS", ["Origin: ", ...preflight], forbidden],
  ["OPTIONS with an origin alone", listed, "OPTIONS", [`Origin: ${page}`], allowedTo(page)],
  ["OPTIONS with a method alone", listed, "OPTIONS", preflight, ["201", "content-length: 0"]],
  ["any page", anyPage, "GET", [`Origin: ${other}`], allowedTo("*")],
  ["a preflight of any page", anyPage, "OPTIONS", ["Origin: null", ...preflight], preflightOf("*")],
  [
    "a preflight of no page where any is allowed",
    anyPage,
    "OPTIONS",
    ["Origin: ", ...preflight],
    forbidden,
  ],
])("%s", async (_name, cors, method, headers, wanted) => {
  expect(await ask(cors, method, headers)).toEqual(wanted);
  expect(asked).toEqual(wanted[0] === "201" ? [method] : []);
});

test("credentials are allowed beside the page's own name, never beside a star", async () => {
  const named = await ask({ ...anyPage, allowsCredentials: true }, "GET", [`Origin: ${other}`]);
  const asks = await ask(withCredentials, "OPTIONS", [`Origin: ${page}`, ...preflight]);

  expect(named).toEqual([
    "201",
    `access-control-allow-origin: ${other}`,
    "vary: origin",
    "access-control-allow-credentials: true",
    "content-length: 0",
  ]);
  expect(asks.slice(-4)).toEqual([
    "access-control-allow-credentials: true",
    "access-control-max-age: 5",
    "date: ",
    "content-length: 0",
  ]);
});

test("a refusal says to an allowed page, too, that the page may read it", async () => {
  const cors = { ...listed };
  const refusing = async (): Promise<RestResponse> => {
    throw new Error("unforeseen");
  };
  const server = await createHttpServer({ host, port: 0, dispatch: refusing, cors });
  servers.push(server);

  const { status, headers } = await fetch(`http://${host}:${server.port}/`, {
    headers: { origin: page },
  });

  expect([status, headers.get("access-control-allow-origin")]).toEqual([500, page]);
});
