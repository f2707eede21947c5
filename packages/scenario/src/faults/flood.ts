/** Flood: requests that clients send at a fixed rate while a fault lasts, without waiting for answers. */
import { newClient, type ClientRequest, type World } from "../world.ts";
import type { Injected } from "./fault.ts";

export interface Flood {
  readonly name: string;
  readonly perSecond: number;
  /** Next request and the node it is sent to; `undefined` if no node can be asked. */
  readonly next: (
    number: number,
  ) => Promise<{ readonly node: string; readonly request: ClientRequest } | undefined>;
}

/** Starts a flood; its receipt counts the requests that received an answer. */
export function flood(world: World, { name, perSecond, next }: Flood): Injected {
  const client = newClient(name);
  const underWay = new Set<Promise<void>>();
  let taken = 0;
  let isOver = false;
  const send = async (number: number): Promise<void> => {
    const what = await next(number);
    if (what === undefined) return;
    const answer = await world.request(client, what.node, what.request);
    if (answer !== undefined && answer.isRefused !== true) taken += 1;
  };
  const run = async (): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      const sent = send(number).finally(() => underWay.delete(sent));
      underWay.add(sent);
      await world.sleep(1000 / perSecond);
    }
  };
  const running = run();
  return {
    targets: [name],
    hits: async () => taken,
    end: async () => {
      isOver = true;
      await running;
      await Promise.all(underWay);
    },
  };
}
