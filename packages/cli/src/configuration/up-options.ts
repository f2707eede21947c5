/**
 * Options of `orrery up` that the command line, the environment and a file can give. A row determines the option's help,
 * its completion, its reader, and its part of the file's schema.
 */
import { MOST_NODES } from "../cluster-plan.ts";
import { transportNames } from "../transports.ts";

export type UpOptionName =
  | "nodes"
  | "processes"
  | "transport"
  | "http-port"
  | "zones"
  | "data"
  | "control";

/** Form of an option's value. */
export type Form =
  | { readonly kind: "integer"; readonly low: number; readonly high: number }
  | { readonly kind: "name"; readonly names: readonly string[] }
  | { readonly kind: "list" }
  | { readonly kind: "folder" };

export interface UpOption {
  /** Placeholder of the value on the command line. */
  readonly value: string;
  readonly says: string;
  readonly form: Form;
  /** Value if no source gives one, in the form of the command line; `undefined`: there is none. */
  readonly otherwise?: string;
}

export const upOptions: Readonly<Record<UpOptionName, UpOption>> = {
  nodes: {
    value: "N",
    says: "number of nodes (those of the data folder, else 3)",
    form: { kind: "integer", low: 1, high: MOST_NODES },
    otherwise: "3",
  },
  processes: {
    value: "N",
    says: "number of processes that the nodes share over grpc or websocket; default: one for each node",
    form: { kind: "integer", low: 1, high: MOST_NODES },
  },
  transport: {
    value: "T",
    says: "grpc, websocket, or memory: all nodes in this process (grpc)",
    form: { kind: "name", names: transportNames },
    otherwise: "grpc",
  },
  "http-port": {
    value: "P",
    says: "HTTP port of the first node; the others follow (9200); 0: any free ports",
    form: { kind: "integer", low: 0, high: 65_000 },
    otherwise: "9200",
  },
  zones: {
    value: "A,B,C",
    says: "awareness zones, assigned to the nodes in turn; the data folder keeps them",
    form: { kind: "list" },
  },
  data: {
    value: "DIR",
    says: "data folder of the nodes; default: a temporary folder, removed at the end",
    form: { kind: "folder" },
  },
  control: {
    value: "PORT",
    says: "local port for orrery fault, which stops and starts nodes and injects faults; its token is ORRERY_CONTROL_TOKEN, or generated",
    form: { kind: "integer", low: 1, high: 65_535 },
  },
};

export const upOptionNames: readonly UpOptionName[] = Object.keys(
  upOptions,
) as readonly UpOptionName[];

/** Environment variable of an option: `http-port` is `ORRERY_HTTP_PORT`. */
export function variableOf(name: UpOptionName): string {
  return `ORRERY_${name.replaceAll("-", "_").toUpperCase()}`;
}
