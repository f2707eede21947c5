/** Real URLs: one HTTP server a node, which stays through restarts and restores. While a request is outstanding time runs. */
import { createHttpServer, type HttpServer } from "@orrery/http-server";
import { dispatch } from "@orrery/rest";
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
      dispatch: async (request) => {
        const { simulation, driver } = stage();
        const cluster = simulation.cluster(node);
        if (cluster === undefined) throw new Error(`${node} is down`);
        const answered = dispatch(request, cluster);
        // A node that goes down answers nobody any more.
        const down = simulation.whenDown(node).then((): never => {
          throw new Error(`${node} went down`);
        });
        return driver.drive(Promise.race([answered, down]));
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
