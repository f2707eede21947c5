/** `orrery trace`: prints the matching events of a bundle in a chosen format. */
import { printTrace, traceFormats, type Bundle, type EventFilter } from "@orrery/bundle";
import { eventKindNames } from "@orrery/scenario";
import { parseDuration, similar } from "@orrery/stdx";
import { withBundle } from "./bundle-file.ts";
import { integer, readOptions, type ParsedOptions } from "./options.ts";
import { UsageError } from "./usage.ts";

export async function trace(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    node: { type: "string" },
    index: { type: "string" },
    shard: { type: "string" },
    message: { type: "string" },
    action: { type: "string" },
    kind: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    format: { type: "string" },
  });
  const name = options.text("format") ?? "text";
  const format = traceFormats.find((one) => one === name);
  if (format === undefined) {
    const [near] = similar(name, traceFormats);
    const hint = near === undefined ? "" : ` -> did you mean [${near}]?`;
    throw new UsageError(
      `unknown format [${name}]${hint === "" ? `: expected one of [${traceFormats.join(", ")}]` : hint}`,
    );
  }
  const filter = filterOf(options);
  await withBundle(options, "orrery trace BUNDLE", (bundle) => {
    checkNames(bundle, filter);
    return print(printTrace(bundle, format, filter));
  });
  return 0;
}

/** Rejects unknown names of nodes and indices: a misspelt name would print nothing. */
function checkNames(bundle: Bundle, filter: EventFilter): void {
  for (const what of ["node", "kind", "index"] as const) {
    const given = filter[what];
    if (given === undefined) continue;
    const names = what === "kind" ? eventKindNames : bundle.named(what);
    if (names.some((name) => name === given)) continue;
    const [near] = similar(given, names);
    const hint =
      near === undefined ? `: there is [${names.join(", ")}]` : ` -> did you mean [${near}]?`;
    throw new UsageError(
      `${what === "kind" ? "there is no kind of event" : `the run has no ${what}`} [${given}]${hint}`,
    );
  }
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = filter;
  if (fromMs > toMs) throw new UsageError("[--from] is later than [--to]");
}

function filterOf(options: ParsedOptions): EventFilter {
  const shard = options.text("shard");
  const given = {
    node: options.text("node"),
    index: options.text("index"),
    shard: shard === undefined ? undefined : integer("shard", shard, { low: 0, high: 1 << 20 }),
    action: options.text("message") ?? options.text("action"),
    kind: options.text("kind"),
    fromMs: timeOf("from", options),
    toMs: timeOf("to", options),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function timeOf(name: string, options: ParsedOptions): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0)
    throw new UsageError(`[--${name}] must be a time value such as [1500ms], not [${text}]`);
  return ms;
}

const CHUNK_CHARACTERS = 1 << 16;

/** Prints no faster than the reader reads; a reader may close the pipe early. */
async function print(pieces: Iterable<string>): Promise<void> {
  const { stdout } = process;
  let isClosed = false;
  let goOn = (): void => undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isClosed = true;
    goOn();
  });
  let held = "";
  for (const piece of pieces) {
    held += piece;
    if (held.length < CHUNK_CHARACTERS) continue;
    const drained = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!stdout.write(held)) {
      stdout.once("drain", goOn);
      await drained;
    }
    held = "";
    if (isClosed) return;
  }
  stdout.write(held);
}
