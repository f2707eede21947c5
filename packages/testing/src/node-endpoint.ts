/**
 * Real URLs of simulated nodes: one HTTP server for each node, which survives restarts and restores. Virtual time runs
 * while a request is outstanding.
 */
import { ConnectionCut, createHttpServer, type HttpServer } from "@orrery/http-server";
import { dispatch, type RestResponse } from "@orrery/rest";
import type { Simulation } from "@orrery/simulator";
import type { Driver } from "./driver.ts";

/** Simulation that serves the requests, and the driver of its time; each restore of an image replaces both. */
export interface ServedCluster {
  readonly simulation: Simulation;
  readonly driver: Driver;
}

export interface NodeEndpoint {
  readonly url: string;
  /** Host and port of the URL. */
  readonly address: string;
  /** Stops accepting requests until `open` is called. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

const host = "127.0.0.1";

/** Starts the server of a node. `served` returns the current incarnation of the cluster for each request. */
export async function createNodeEndpoint(
  node: string,
  served: () => ServedCluster,
): Promise<NodeEndpoint> {
  const listen = (port: number): Promise<HttpServer> =>
    createHttpServer({
      host,
      port,
      dispatch: (request) => {
        const { simulation, driver } = served();
        const answer = async (): Promise<RestResponse> => {
          // A paused node receives the request when it resumes.
          await simulation.turn(node);
          const cluster = simulation.cluster(node);
          if (cluster === undefined) throw new ConnectionCut(`${node} is down`);
          return dispatch(request, cluster);
        };
        // A node that goes down closes its connections.
        const untilDown = async (): Promise<RestResponse> => {
          const response = await simulation.untilDown(node, answer());
          if (response === undefined) throw new ConnectionCut(`${node} went down`);
          return response;
        };
        return driver.drive(untilDown());
      },
    });
  let server: HttpServer | undefined = await onLongPort(listen);
  const { port } = server;
  const address = `${host}:${port}`;
  return {
    ...{ address, url: `http://${address}` },
    shut: async () => {
      const open = server;
      server = undefined;
      await open?.close(0);
    },
    open: async () => {
      server ??= await listen(port);
    },
  };
}

const SHORTEST_PORT = 10_000;
const MOST_TRIES = 100;

/**
 * Listens on a free port of five digits: messages between nodes contain the address, and virtual latencies depend on
 * their length.
 */
async function onLongPort(listen: (port: number) => Promise<HttpServer>): Promise<HttpServer> {
  for (let tries = 1; ; tries += 1) {
    const server = await listen(0);
    if (server.port >= SHORTEST_PORT || tries === MOST_TRIES) return server;
    await server.close(0);
  }
}
