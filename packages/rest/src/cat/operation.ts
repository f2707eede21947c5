/** Frame of the cat operations: shared parameters, `help`, text or JSON output. A cat operation defines columns and rows. */
import type { Cluster } from "@orrery/node";
import {
  defineOperation,
  type Answer,
  type BodyParser,
  type Call,
  type Deviation,
  type Operation,
  type OperationPermission,
  type Route,
} from "../operation.ts";
import { flag, names, onDemand, text, type Parameters, type Parsed } from "../parameters.ts";
import { unrecognized } from "../unrecognized.ts";
import type { Column } from "./column.ts";
import { tableHelp, tableJson, tableText, type TableView } from "./render.ts";

/** A cat operation: its columns, and the rows of a call. */
export interface CatSpec<P extends Parameters, Row, B = undefined> {
  readonly group: string;
  readonly permission: OperationPermission;
  readonly routes: readonly Route[];
  readonly query: P;
  readonly body?: BodyParser<B>;
  readonly deviations: readonly Deviation[];
  readonly columns: readonly Column<Row>[];
  /** Whether the first two columns are the time of day, which `ts=false` hides. */
  readonly hasTime?: boolean;
  readonly rows: (call: Call<P, B>, cluster: Cluster) => Promise<readonly Row[]> | readonly Row[];
}

/** Parameters that the product accepts on every cat path. */
const shared = {
  h: onDemand(names()),
  s: onDemand(names([])),
  v: onDemand(flag(false)),
  help: flag(false),
  ts: onDemand(flag(true)),
  pri: onDemand(flag(false)),
  bytes: onDemand(text()),
  time: onDemand(text()),
  size: onDemand(text()),
  timeout: onDemand(text()),
};

/** Names of the parameters that all cat operations share. */
export const catParameters: readonly string[] = Object.keys(shared);

/** The REST operation of a cat table. */
export function defineCat<const P extends Parameters, Row, B = undefined>(
  spec: CatSpec<P, Row, B>,
): Operation {
  return defineOperation({
    group: spec.group,
    permission: spec.permission,
    routes: spec.routes,
    query: { ...shared, ...spec.query },
    ...(spec.body === undefined ? {} : { body: spec.body }),
    deviations: spec.deviations,

    async handle(call, cluster): Promise<Answer> {
      const { query, path, request } = call;
      if (query.help) {
        checkHelp(spec, path, request);
        return { text: tableHelp(spec.columns) };
      }
      const rows = await spec.rows(call as unknown as Call<P, B>, cluster);
      const view = viewOf(query, spec.hasTime === true);
      if (request.format !== undefined) return { body: tableJson(spec.columns, rows, view) };
      return { text: tableText(spec.columns, rows, view) };
    },
  });
}

/** With `help` the product reads no other parameter, so the operation's own parameters are reported as unrecognized. */
function checkHelp<P extends Parameters, Row, B>(
  spec: CatSpec<P, Row, B>,
  path: Readonly<Record<string, string | undefined>>,
  request: Call<P, B>["request"],
): void {
  const own = Object.keys(spec.query).filter(
    (name) => request.has(name) && !catParameters.includes(name),
  );
  const unread = [...new Set([...own, ...Object.keys(path)])];
  if (unread.length > 0)
    throw unrecognized(request.path, "parameter", unread, [...catParameters, "format"]);
}

function viewOf(query: Parsed<typeof shared>, hasTime: boolean): TableView {
  return {
    columns: query.h,
    sort: query.s,
    isWithHeader: query.v,
    isWithPrimaries: query.pri,
    isWithTime: hasTime ? query.ts : undefined,
    bytes: query.bytes,
    time: query.time,
  };
}
