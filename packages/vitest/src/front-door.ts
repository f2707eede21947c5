/** Real URLs: one HTTP server a node, which stays through restarts and restores. While a request is outstanding time runs. */
import { ConnectionCut, createHttpServer, type HttpServer } from "@orrery/http-server";
import { dispatch, type RestResponse } from "@orrery/rest";
import type { Simulation } from "@orrery/simulator";
import type { Driver } from "./driver.ts";

/** The life of a cluster that requests go to now. */
export interface Stage {
  readonly simulation: Simulation;
  readonly driver: Driver;
}

export interface FrontDoor {
  readonly url: string;
  /** Nobody listens until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

const host = "127.0.0.1";

export async function createFrontDoor(node: string, stage: () => Stage): Promise<FrontDoor> {
  const listen = (port: number): Promise<HttpServer> =>
    createHttpServer({
      host,
      port,
      dispatch: (request) => {
        const { simulation, driver } = stage();
        const answer = async (): Promise<RestResponse> => {
          // Paused, it hears of the request when it goes on.
          await simulation.turn(node);
          const cluster = simulation.cluster(node);
          if (cluster === undefined) throw new ConnectionCut(`${node} is down`);
          return dispatch(request, cluster);
        };
        // A node that goes down takes its connections with it.
        const untilDown = async (): Promise<RestResponse> => {
          const response = await simulation.untilDown(node, answer());
          if (response === undefined) throw new ConnectionCut(`${node} went down`);
          return response;
        };
        return driver.drive(untilDown());
      },
    });
  let server: HttpServer | undefined = await listen(0);
  const { port } = server;
  return {
    url: `http://${host}:${port}`,
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
