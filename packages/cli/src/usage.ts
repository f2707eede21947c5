/** A command line that cannot be carried out: one clear sentence on standard error, exit code 2. */

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `Usage:
  orrery up [--nodes 3] [--transport grpc|websocket|memory] [--http-port 9200] [--zones a,b,c]
            [--data DIR] [--control PORT] [-E setting=value]… [--json]
  orrery node start NAME --data DIR [--json]
  orrery run SCENARIO [--seed N] [--trace FILE.ndjson] [--json]`;
