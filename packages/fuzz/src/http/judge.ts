/**
 * Judgement of a response: no internal error, no words of the implementation language, valid in its format, and
 * consistent in its status.
 */
import type { Json, JsonObject } from "@orrery/stdx";
import { isJsonObject } from "@orrery/stdx";
import { parse } from "yaml";
import type { Finding } from "../target.ts";
import { pattern, scriptWord } from "../words.ts";
import { isDocumented } from "./documented.ts";

export interface Judged {
  readonly method: string;
  /** Text of the request, raw and decoded: a response may repeat it. */
  readonly sent: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** First finding about a response; `undefined` if it is acceptable. */
export function judgeAnswer(answer: Judged): Finding | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer.body);
  return (
    judgeForm(answer, text) ??
    judgeInternal(answer, text) ??
    judgeWords(answer, text) ??
    judgeStatus(answer, text)
  );
}

function judgeForm({ method, status, headers, body }: Judged, text: string): Finding | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    return { cause: "status: none", detail: `the status is ${status}` };
  const type = String(headers["content-type"] ?? "");
  const length = headers["content-length"];
  if (method === "HEAD") {
    return body.length === 0
      ? undefined
      : { cause: "head: with a body", detail: text.slice(0, 200) };
  }
  if (length !== undefined && Number(length) !== body.length)
    return { cause: "content-length", detail: `${String(length)} of ${body.length} bytes` };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return { cause: "utf-8: broken", detail: text.slice(0, 200) };
  }
  // Some operations respond with an empty body.
  if (text.trim() === "") return undefined;
  if (type.includes("json")) return jsonProblem(text);
  if (type.includes("yaml")) return yamlProblem(text);
  return undefined;
}

function jsonProblem(text: string): Finding | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return { cause: "json: invalid", detail: `${String(error)}: ${text.slice(0, 200)}` };
  }
}

/** Limit of a YAML response that is parsed, as the parser is slow. */
const MOST_YAML = 20_000;

function yamlProblem(text: string): Finding | undefined {
  if (text.length > MOST_YAML) return undefined;
  try {
    parse(text, { uniqueKeys: false, maxAliasCount: 0 });
    return undefined;
  } catch (error) {
    return {
      cause: "yaml: invalid",
      detail: `${String(error).split("\n")[0]}: ${text.slice(0, 200)}`,
    };
  }
}

/** Finds a status of 5xx anywhere in the response: its own, of a bulk item, of one of several searches, of a shard. */
function judgeInternal({ method, status, body }: Judged, text: string): Finding | undefined {
  if (method === "HEAD") return undefined;
  if (status < 500 && !/"status" ?: ?5\d\d/.test(text)) return undefined;
  const tree = body.length === 0 ? undefined : (readJson(text) ?? readYaml(text));
  for (const problem of problemsIn(tree ?? null, status)) {
    if (problem.status < 500 || isDocumented(problem)) continue;
    const { type, reason } = problem;
    return {
      cause: `${problem.status}: ${type}: ${pattern(reason)}`,
      detail: reason.slice(0, 300),
    };
  }
  if (status >= 500 && tree === undefined)
    return { cause: `${status}: bare`, detail: text.slice(0, 200) };
  return undefined;
}

export interface ReportedProblem {
  readonly status: number;
  /** Type of the outermost error. */
  readonly outer: string;
  /** Type and reason of the innermost cause. */
  readonly type: string;
  readonly reason: string;
}

/** Errors of every object with the members `error` and `status`, by innermost cause. */
function problemsIn(tree: Json, outer: number): ReportedProblem[] {
  if (Array.isArray(tree))
    return (tree as readonly Json[]).flatMap((item) => problemsIn(item, outer));
  if (!isJsonObject(tree)) return [];
  const { error, status } = tree;
  const own = typeof status === "number" ? status : outer;
  const here = error === undefined || own < 400 ? [] : [reportedProblem(error, own)];
  const inside = Object.entries(tree).flatMap(([key, value]) =>
    key === "error" ? [] : problemsIn(value ?? null, 0),
  );
  return [...here, ...inside];
}

/** Innermost cause; of several shards one that is documented, if any. */
function reportedProblem(error: Json, status: number): ReportedProblem {
  if (!isJsonObject(error)) return { status, outer: "text", type: "text", reason: String(error) };
  const outer = String(error["type"]);
  const problems = innermost(error).map((inner): ReportedProblem => {
    const { type, reason } = inner;
    return { status, outer, type: String(type), reason: String(reason) };
  });
  const [first] = problems;
  return problems.find(isDocumented) ?? first ?? { status, outer, type: outer, reason: "" };
}

/** Ends of the chains of causes. */
function innermost(error: JsonObject): readonly JsonObject[] {
  const { caused_by: cause, failed_shards: shards } = error;
  const ofShards = (Array.isArray(shards) ? (shards as readonly Json[]) : []).flatMap((shard) => {
    const reason = isJsonObject(shard) ? shard["reason"] : undefined;
    return isJsonObject(reason) ? innermost(reason) : [];
  });
  const ofCause = isJsonObject(cause) ? innermost(cause) : [];
  const inside = [...ofCause, ...ofShards];
  return inside.length === 0 ? [error] : inside;
}

/** Finds words of the implementation language that the request did not contain. */
function judgeWords({ sent }: Judged, text: string): Finding | undefined {
  const found = scriptWord(text, sent);
  if (found !== undefined) {
    const around = text.slice(Math.max(0, found.at - 60), found.at + 160);
    return {
      cause: `js-text: ${found.word}: ${pattern(wordsAround(text, found.at))}`,
      detail: around,
    };
  }
  // The product itself prints an unset limit so. Outside of a reason the word comes from a client.
  const word =
    /"(?:reason|error|explanation)" ?: ?"[^"]*\b(undefined)\b(?! cluster concurrent)/.exec(text);
  if (word === null || sent.includes("undefined")) return undefined;
  const around = wordsAround(text, word.index + word[0].length - 9);
  return { cause: `js-word: ${pattern(around)}`, detail: around };
}

function wordsAround(text: string, at: number): string {
  const from = Math.max(text.lastIndexOf('"', at) + 1, at - 80);
  const to = text.indexOf('"', at);
  return text.slice(from, to < 0 ? at + 80 : Math.min(to, at + 80));
}

/** Checks that status line and body agree. */
function judgeStatus({ status, headers, method }: Judged, text: string): Finding | undefined {
  if (method === "HEAD" || !String(headers["content-type"]).includes("json")) return undefined;
  const tree = readJson(text);
  if (!isJsonObject(tree)) return undefined;
  const { status: own, error } = tree;
  if (error !== undefined && status < 400 && (typeof error === "string" || isJsonObject(error)))
    return { cause: "status: an error that is a success", detail: text.slice(0, 200) };
  if (error !== undefined && typeof own === "number" && own !== status)
    return { cause: "status: two of them", detail: `${status} and ${text.slice(0, 200)}` };
  return undefined;
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function readYaml(text: string): Json | undefined {
  try {
    return text.length > MOST_YAML ? undefined : (parse(text) as Json);
  } catch {
    return undefined;
  }
}
