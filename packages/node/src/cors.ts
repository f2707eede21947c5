/**
 * `http.cors.*`: web pages of other origins that may read answers. Off by default. A malformed policy prevents the
 * start of the node, if the policy is on (`Netty4HttpServerTransport.buildCorsConfig`).
 */
import type { Settings } from "@orrery/cluster-state";
import { compileJavaPattern, OperationError, type JavaPattern } from "@orrery/stdx";
import { textSetting } from "./config.ts";

export interface CorsPolicy {
  /** `any`: every origin. */
  readonly origins: "any" | ((origin: string) => boolean);
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly allowsCredentials: boolean;
  readonly maxAgeSeconds: number;
}

const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PATCH",
  "TRACE",
  "CONNECT",
]);

/**
 * The CORS policy in a node's settings; `undefined`: CORS is turned off.
 * @throws OperationError A pattern or a method is malformed.
 */
export function corsPolicyOf(settings: Settings): CorsPolicy | undefined {
  const text = (name: string, byDefault: string): string =>
    textSetting(settings, `http.cors.${name}`) ?? byDefault;
  if (text("enabled", "false") !== "true") return undefined;
  return {
    origins: originsOf(text("allow-origin", "")),
    methods: methodsOf(text("allow-methods", "OPTIONS,HEAD,GET,POST,PUT,DELETE")),
    headers: wordsIn(text("allow-headers", "X-Requested-With,Content-Type,Content-Length")),
    allowsCredentials: text("allow-credentials", "false") === "true",
    maxAgeSeconds: Number(text("max-age", "1728000")),
  };
}

function originsOf(setting: string): CorsPolicy["origins"] {
  if (setting === "*") return "any";
  const isPattern = setting.length > 2 && setting.startsWith("/") && setting.endsWith("/");
  if (isPattern) {
    const pattern = patternOf(setting);
    return (origin) => pattern.matchesWhole(origin);
  }
  const allowed = new Set(setting.split(",").map((origin) => origin.trim()));
  return (origin) => allowed.has(origin);
}

function patternOf(setting: string): JavaPattern {
  try {
    return compileJavaPattern(setting.slice(1, -1), undefined);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const reason = `Bad regex in [http.cors.allow-origin]: [${setting}]`;
    const causedBy = error.problem;
    throw new OperationError({ type: "settings_exception", reason, status: 400, causedBy });
  }
}

function methodsOf(setting: string): readonly string[] {
  const methods = wordsIn(setting).map((name) => name.toUpperCase());
  const unknown = methods.find((name) => !METHODS.has(name));
  if (unknown === undefined) return methods;
  const reason = `No enum constant org.opensearch.rest.RestRequest.Method.${unknown}`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

/** The words of a comma-separated setting, each once. */
function wordsIn(setting: string): readonly string[] {
  const words = setting.split(",").map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ""))];
}
