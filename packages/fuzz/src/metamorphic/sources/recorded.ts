/**
 * Recorded sequences: the files of the folder `shared/recorded`, if it lies beside the project. Each starts with an
 * empty cluster. Files about failures of nodes, or about plugins, are left out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@orrery/stdx";
import type { Asked } from "../request.ts";
import { tellsOfPlacement } from "./placement.ts";
import { sharedFolder } from "./shared-folder.ts";

const folder = sharedFolder("recorded");
/** Limit of requests from one file: the longest have hundreds of one kind. */
const MOST_OF_A_FILE = 200;
/** Size limit of a body, as a replay line with more is not printed. */
const LARGEST_BODY = 1_000_000;

interface Exchange {
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyFile?: string;
  };
  /** Marks files about more than requests to a cluster of one node. */
  readonly control?: unknown;
  readonly write?: unknown;
  readonly product?: unknown;
  readonly nodes?: number;
  readonly sleep?: unknown;
  readonly capture?: Readonly<Record<string, string>>;
  readonly volatile?: readonly string[];
}

export function pickRecorded(random: Random): readonly Asked[] | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  return readRecorded(random.pick(files.toSorted()));
}

/**
 * Requests of a recorded file; `undefined` if the file also has steps other than requests, or needs several nodes or
 * the product.
 */
export function readRecorded(file: string): readonly Asked[] | undefined {
  const exchanges = readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Exchange);
  const [first] = exchanges;
  if (first?.product !== undefined || (first?.nodes ?? 1) > 1) return undefined;
  if (exchanges.some(({ control, write }) => control !== undefined || write !== undefined))
    return undefined;
  return exchanges.slice(0, MOST_OF_A_FILE).flatMap((exchange) => askedOf(file, exchange));
}

function askedOf(file: string, { request, capture, volatile }: Exchange): Asked[] {
  if (request === undefined || tellsOfPlacement(request.path)) return [];
  const { method, path, headers, bodyFile } = request;
  const body = bodyFile === undefined ? request.body : readFileSync(join(folder, bodyFile), "utf8");
  if ((body?.length ?? 0) > LARGEST_BODY) return [];
  return [
    {
      kind: `recorded ${file}`,
      method,
      uri: path,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
      ...(capture === undefined ? {} : { keep: capture }),
      ...(volatile === undefined ? {} : { loose: volatile }),
    },
  ];
}
