/**
 * The part of Docker's Engine API that modules of testcontainers use, over the containers of this folder: their programs run
 * unchanged against the image on a machine without Docker. Published ports are forwarded on the loopback address.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { GATEWAY, variableOf } from "./container.mjs";

/** Serves the API on a socket. `start`: starts a container from `{ name, environment, args }`. */
export async function serveDockerApi({ socket, start, config }) {
  const containers = new Map();
  const api = { containers, start, config };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      void answer(api, request, chunks).then(
        (result) => send(response, result),
        (error) => send(response, { status: 500, body: { message: String(error.stack ?? error) } }),
      );
    });
  });
  await new Promise((resolve) => {
    server.listen(socket, resolve);
  });
  return {
    containers,
    close: () => {
      server.close();
      server.closeAllConnections();
      for (const container of containers.values()) remove(api, container);
    },
  };
}

function send(response, { status = 200, body, stream }) {
  response.statusCode = status;
  response.setHeader("api-version", "1.44");
  response.setHeader("ostype", "linux");
  if (stream !== undefined) {
    response.setHeader("content-type", "application/vnd.docker.raw-stream");
    return stream(response);
  }
  if (body === undefined) return response.end();
  response.setHeader("content-type", "application/json");
  return response.end(JSON.stringify(body));
}

const bridge = {
  Name: "bridge",
  Id: "bridge",
  Driver: "bridge",
  IPAM: { Config: [{ Subnet: "10.89.0.0/24", Gateway: GATEWAY }] },
  Containers: {},
};

const version = {
  Version: "27.0.0",
  ApiVersion: "1.44",
  MinAPIVersion: "1.24",
  Os: "linux",
  Arch: "amd64",
};

const info = {
  ID: "orrery",
  ServerVersion: version.Version,
  OperatingSystem: "Debian",
  OSType: "linux",
  Architecture: "x86_64",
  NCPU: 2,
  MemTotal: 2 ** 33,
  Runtimes: { runc: {} },
  IndexServerAddress: "https://index.docker.io/v1/",
  RegistryConfig: { IndexConfigs: {} },
};

/** Routes by method and path; the path is without the version of the API. */
const routes = Object.entries({
  "GET /_ping": () => ({ body: "OK" }),
  "HEAD /_ping": () => ({}),
  "GET /version": () => ({ body: version }),
  "GET /info": () => ({ body: info }),
  "GET /images/(.+)/json": inspectImage,
  "GET /images/json": () => ({ body: [] }),
  "POST /images/create": () => ({ body: { status: "exists" } }),
  "GET /networks": () => ({ body: [bridge] }),
  "GET /networks/[^/]+": () => ({ body: bridge }),
  "POST /networks/[^/]+/(?:connect|disconnect)": () => ({}),
  "POST /(?:containers|images|networks|volumes)/prune": () => ({ body: {} }),
  "GET /containers/json": ({ containers }) => ({ body: [...containers.values()].map(summary) }),
  "POST /containers/create": create,
  "POST /containers/([^/]+)/start": onContainer(startContainer),
  "GET /containers/([^/]+)/json": onContainer((container) => ({ body: inspected(container) })),
  "GET /containers/([^/]+)/logs": onContainer((container, { query }) => ({
    stream: logs(container, query),
  })),
  "POST /containers/([^/]+)/(?:stop|kill)": onContainer(stop),
  "POST /containers/([^/]+)/wait": onContainer(async ({ running }) => ({
    body: { StatusCode: await running?.exit },
  })),
  "DELETE /containers/([^/]+)": onContainer((container, { api }) => {
    remove(api, container);
    return { status: 204 };
  }),
}).map(([route, handle]) => ({ pattern: new RegExp(`^${route}$`), handle }));

async function answer(api, request, chunks) {
  const url = new URL(request.url, "http://docker");
  const path = `${request.method} ${url.pathname.replace(/^\/v[\d.]+/, "")}`;
  const text = Buffer.concat(chunks).toString();
  for (const { pattern, handle } of routes) {
    const found = pattern.exec(path);
    if (found === null) continue;
    return handle(api, found.slice(1), {
      query: url.searchParams,
      body: text === "" ? {} : JSON.parse(text),
    });
  }
  return { status: 501, body: { message: `[${path}] is not there` } };
}

/** Handler of a route whose first part is the id or the name of a container. */
function onContainer(handle) {
  return (api, [id], request) => {
    const { containers } = api;
    const container =
      containers.get(id) ?? [...containers.values()].find(({ name }) => name === id);
    if (container === undefined)
      return { status: 404, body: { message: `No such container: ${id}` } };
    return handle(container, { ...request, api });
  };
}

function inspectImage({ config }, [name]) {
  return {
    body: {
      Id: "sha256:0",
      RepoTags: [decodeURIComponent(name)],
      Created: "2026-01-01T00:00:00Z",
      Architecture: "amd64",
      Os: "linux",
      Config: config,
      RootFS: { Type: "layers" },
    },
  };
}

function create({ containers }, _, { query, body }) {
  const id = randomBytes(32).toString("hex");
  const name = query.get("name") ?? `container-${containers.size + 1}`;
  containers.set(id, {
    id,
    name,
    body,
    running: undefined,
    exitCode: undefined,
    ports: {},
    forwards: [],
    createdAt: new Date().toISOString(),
  });
  return { status: 201, body: { Id: id, Warnings: [] } };
}

async function startContainer(container, { api }) {
  const { id, body } = container;
  const { Env = [], Cmd, Entrypoint, Hostname, ExposedPorts = {}, HostConfig = {} } = body;
  container.running = api.start({
    name: Hostname || id.slice(0, 12),
    environment: Object.fromEntries(Env.map(variableOf)),
    ...(Cmd?.length > 0 ? { args: Cmd } : {}),
    ...(Entrypoint?.length > 0 ? { entrypoint: Entrypoint } : {}),
  });
  void container.running.exit.then((code) => (container.exitCode = code));
  const bindings = new Map(Object.entries(HostConfig.PortBindings ?? {}));
  for (const exposed of new Set([...Object.keys(ExposedPorts), ...bindings.keys()])) {
    const wanted = Number(bindings.get(exposed)?.[0]?.HostPort || 0);
    const port = Number(exposed.split("/")[0]);
    const forward = await forwardTo(container.running.address, port, wanted);
    container.forwards.push(forward.server);
    container.ports[exposed] = [{ HostIp: "0.0.0.0", HostPort: String(forward.port) }];
  }
  return { status: 204 };
}

/** Listens on the loopback address for connections to a port of a container; as with Docker, they close while nothing listens there. */
function forwardTo(address, port, wanted) {
  const server = createNetServer((near) => {
    const far = connect(port, address);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
    near.pipe(far).pipe(near);
  });
  return new Promise((resolve) => {
    server.listen(wanted, "127.0.0.1", () => resolve({ server, port: server.address().port }));
  });
}

function stateOf({ running, exitCode, createdAt }) {
  const isRunning = running !== undefined && exitCode === undefined;
  const status = running === undefined ? "created" : isRunning ? "running" : "exited";
  return {
    Status: status,
    Running: isRunning,
    Paused: false,
    Restarting: false,
    OOMKilled: false,
    Dead: false,
    Pid: isRunning ? running.pid : 0,
    ExitCode: Number(exitCode ?? 0),
    Error: "",
    StartedAt: createdAt,
    FinishedAt: isRunning ? "0001-01-01T00:00:00Z" : createdAt,
  };
}

function inspected(container) {
  const { id, name, body, ports, running, createdAt } = container;
  const { HostConfig = {}, NetworkingConfig: _, ...config } = body;
  const address = running?.address ?? "";
  const own = {
    IPAddress: address,
    IPPrefixLen: 24,
    Gateway: GATEWAY,
    NetworkID: "bridge",
    Aliases: [],
  };
  return {
    ...{
      Id: id,
      Name: `/${name}`,
      Created: createdAt,
      Image: body.Image,
      Path: "",
      Args: [],
      Mounts: [],
      RestartCount: 0,
      Driver: "overlay2",
      Platform: "linux",
    },
    State: stateOf(container),
    Config: { ...config, Hostname: body.Hostname || id.slice(0, 12), Labels: body.Labels ?? {} },
    HostConfig: { ...HostConfig, NetworkMode: HostConfig.NetworkMode || "bridge" },
    NetworkSettings: { ...own, Bridge: "", Ports: ports, Networks: { bridge: own } },
  };
}

function summary(container) {
  const { id, name, body, createdAt } = container;
  const { Status } = stateOf(container);
  return {
    Id: id,
    Names: [`/${name}`],
    Image: body.Image,
    Labels: body.Labels ?? {},
    State: Status,
    Status,
    Created: Date.parse(createdAt) / 1000,
    Ports: [],
    HostConfig: { NetworkMode: "bridge" },
    NetworkSettings: { Networks: {} },
  };
}

/** Lines as frames of the multiplexed stream: one byte for the stream, the length, the bytes. */
function logs({ running }, query) {
  return (response) => {
    const write = (line) => {
      const bytes = Buffer.from(`${line}\n`);
      const head = Buffer.alloc(8);
      head[0] = 1;
      head.writeUInt32BE(bytes.length, 4);
      response.write(Buffer.concat([head, bytes]));
    };
    for (const line of running?.lines ?? []) write(line);
    if (!["1", "true"].includes(query.get("follow")) || running === undefined)
      return void response.end();
    const forget = running.onLine(write);
    response.on("close", forget);
    void running.exit.then(() => response.end());
  };
}

async function stop({ running, exitCode }, { query }) {
  if (running !== undefined && exitCode === undefined) {
    const signal = query.get("signal") ?? undefined;
    running.kill(signal === undefined || signal.startsWith("SIG") ? signal : `SIG${signal}`);
    await running.exit;
  }
  return { status: 204 };
}

function remove({ containers }, { id, running, exitCode, forwards }) {
  if (running !== undefined && exitCode === undefined) running.kill("SIGKILL");
  for (const server of forwards) server.close();
  containers.delete(id);
}
