/** Thread of a session. It catches no errors: what a case throws outside of every promise ends the thread. */
import { parentPort } from "node:worker_threads";
import { assert, type Json } from "@orrery/stdx";
import type { FromCell, ToCell } from "./cell-messages.ts";
import type { Session } from "./target.ts";
import { targets } from "./targets/table.ts";

let session: Session<Json> | undefined;

async function answer(message: ToCell): Promise<FromCell> {
  switch (message.kind) {
    case "open":
      await session?.close();
      session = await targets[message.target].open(message.options);
      return { kind: "opened" };
    case "run":
      assert(session !== undefined, "a session is opened before it runs a case");
      return { kind: "outcome", outcome: await session.run(message.case) };
    case "run-together":
      assert(session?.runTogether !== undefined, "the world of these cases is processes");
      return { kind: "together", outcome: await session.runTogether(message.cases) };
    case "settle":
      assert(session?.settle !== undefined, "the world of these cases is processes");
      return { kind: "together", outcome: await session.settle() };
    case "close":
      await session?.close();
      session = undefined;
      return { kind: "closed" };
  }
}

parentPort?.on("message", (message: ToCell) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that one is for windows
  void answer(message).then((told) => parentPort?.postMessage(told));
});
