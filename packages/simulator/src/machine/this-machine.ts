/** Machine that this program runs on: Node or a browser. */
import { browserMachine } from "./browser.ts";
import type { Machine } from "./machine.ts";
import { nodeMachine } from "./node.ts";

export const thisMachine: Machine = "process" in globalThis ? nodeMachine() : browserMachine();
