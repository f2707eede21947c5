/** `orrery fault VERB`: operates on a cluster that `orrery up --control PORT` runs. */
import { faultHelp, type FaultHelp } from "@orrery/scenario";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { host } from "./cluster-plan.ts";
import { findToken } from "./control-token.ts";
import { faultVerbs } from "./fault-help.ts";
import { UsageError } from "./usage.ts";

interface Words {
  readonly verb: string;
  readonly args: readonly string[];
  readonly values: JsonObject;
  readonly control: string | undefined;
  readonly token: string | undefined;
  readonly isJson: boolean;
}

export async function fault(args: readonly string[]): Promise<number> {
  const words = readWords(args);
  if (words.verb === "list") {
    print(words.isJson ? JSON.stringify(faultHelp()) : readableHelp(faultHelp()));
    return 0;
  }
  const body = await ask(words);
  print(words.isJson ? JSON.stringify(body) : readable(words.verb, body));
  return 0;
}

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(["json", "one_way"]);

/** Options of the command itself, which are no keys of a fault. */
const ownOptions: ReadonlySet<string> = new Set(["control", "token", "json"]);

/** Arguments as words and values. Keys of faults are options: `--per-mille 50` sets the key `per_mille`. */
function readWords(args: readonly string[]): Words {
  const words: string[] = [];
  const values = new Map<string, string>();
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (!arg.startsWith("--")) {
      words.push(arg);
      continue;
    }
    const [name = "", ...rest] = arg.slice(2).split("=");
    const key = name.replaceAll("-", "_");
    const next = args[i + 1];
    if (rest.length > 0) values.set(key, rest.join("="));
    else if (next === undefined || next.startsWith("--") || flags.has(key)) values.set(key, "true");
    else {
      values.set(key, next);
      // The next word is the value of this option.
      i += 1;
    }
  }
  const others = [...values].filter(([key]) => !ownOptions.has(key));
  const [verb, ...more] = words;
  if (verb === undefined)
    throw new UsageError(
      "expected [orrery fault VERB … --control PORT], such as [orrery fault partition node-1]; [orrery fault list] tells what there is",
    );
  return {
    verb,
    args: more,
    values: Object.fromEntries(others),
    control: values.get("control") ?? process.env["ORRERY_CONTROL"],
    token: values.get("token") ?? (process.env["ORRERY_CONTROL_TOKEN"] || undefined),
    isJson: values.has("json"),
  };
}

async function ask({ verb, args, values, control, token }: Words): Promise<JsonObject> {
  if (control === undefined)
    throw new UsageError("[--control PORT] is missing: the one that [orrery up] was given");
  const base = baseOf(control);
  const path = [verb, ...args].map(encodeURIComponent).join("/");
  const bearer = token ?? (isLocal(base) ? findToken(Number(base.port)) : undefined);
  let answer: Response;
  try {
    answer = await fetch(new URL(`/${path}`, base), {
      method: "POST",
      body: JSON.stringify(values),
      // A redirect would send the token to another server.
      redirect: "error",
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    });
  } catch {
    throw new UsageError(`nothing answers at the control port [${control}]`);
  }
  const body = (await answer.json().catch(() => undefined)) as Json | undefined;
  if (!isJsonObject(body)) throw new UsageError(`[${control}] is no control port of orrery`);
  if (answer.status === 401) throw new UsageError(refusedToken(control, bearer));
  if (!answer.ok) throw new UsageError(String(body["error"] ?? "refused"));
  return body;
}

/** Base URL from a port, or a whole URL. */
function baseOf(control: string): URL {
  const url = /^\d+$/.test(control) ? `http://${host}:${control}` : control;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url);
  throw new UsageError(
    `[--control] must be a port or a URL such as [http://${host}:9400], not [${control}]`,
  );
}

function isLocal({ hostname }: URL): boolean {
  return [host, "localhost", "[::1]"].includes(hostname);
}

function refusedToken(control: string, bearer: string | undefined): string {
  return bearer === undefined
    ? `the control port [${control}] asks for the token of [orrery up]: no file of yours has it, give it in ORRERY_CONTROL_TOKEN or with [--token]`
    : `the control port [${control}] refuses this token: [orrery up --json] prints the right one`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readable(verb: string, body: JsonObject): string {
  if (verb === "status") return readableStatus(body);
  const { id, targets, nodes, hits } = body;
  const whom = Array.isArray(targets) ? targets.join(" ") : "";
  if (nodes !== undefined) return nodeLines(nodes).join("\n");
  if (typeof id !== "string")
    return whom === "" ? "done" : `done: ${whom}, took effect ${String(hits)} times`;
  return `${id} is on: ${whom}; end it with [orrery fault heal ${id}]`;
}

function rows(given: Json | undefined): readonly JsonObject[] {
  return Array.isArray(given) ? given.filter(isJsonObject) : [];
}

function nodeLines(nodes: Json | undefined): readonly string[] {
  return rows(nodes).map(
    ({ number, name, status, http }) =>
      `${String(number)}  ${String(name)}  ${String(status)}  ${String(http)}`,
  );
}

function readableStatus({ nodes, faults }: JsonObject): string {
  const on = rows(faults).map(
    ({ id, targets, hits }) =>
      `${String(id)}  ${Array.isArray(targets) ? targets.join(" ") : ""}  took effect ${String(hits)} times`,
  );
  return [...nodeLines(nodes), ...(on.length === 0 ? ["no fault is on"] : on)].join("\n");
}

function readableHelp(all: readonly FaultHelp[]): string {
  const lines = [
    ...faultVerbs.map(({ verb, args, says }) => [`${verb} ${args}`.trim(), says] as const),
    ...all
      .filter(({ kind }) => !faultVerbs.some(({ verb }) => verb === kind))
      .map(({ kind, says, keys }) => {
        const needed = keys.flatMap(({ name, isRequired }) =>
          isRequired ? [` --${name.replaceAll("_", "-")} …`] : [],
        );
        return [`${kind}${needed.join("")}`, says] as const;
      }),
  ];
  return [
    ...lines.map(([name, says]) => `${name}: ${says}`),
    "",
    "orrery fault VERB --help describes one of them. A fault takes [--for TIME], and ends by itself then.",
  ].join("\n");
}
