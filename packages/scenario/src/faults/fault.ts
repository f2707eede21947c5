/** A fault: what goes wrong, as data, and how it is done to a world. Starting it returns what ends it. */
import type { World } from "../world.ts";
import type { Crash } from "./crash.ts";
import type { Degrade } from "./degrade.ts";
import type { Partition } from "./partition.ts";

export type Fault = Crash | Partition | Degrade;

/** Called once; the guard it returns is called once, when the fault's time is over. */
export type Inject<Kind extends Fault> = (fault: Kind, world: World) => EndFault;
export type EndFault = () => void;
