/**
 * URLs of `url` repositories (`URLRepository`, `URIPattern`): parsed as Java does, and checked against the rules of a node.
 *
 * The normal form of a URL is both compared with the rules and opened, so that no escape sequence can mean one path here
 * and another one on the server. A URL that programs read in different ways is refused.
 */
import type { BlobAddress } from "@orrery/ports";
import { illegalArgument, matchesGlob, type Problem } from "@orrery/stdx";
import { repositoryError } from "./problems.ts";
import { readList } from "./read-setting.ts";
import type { NodeSettings } from "./repository-type.ts";

const known: ReadonlySet<string> = new Set(["http", "https", "ftp", "file", "jar", "mailto"]);

/** The URL that the product prints for a missing address; it cannot be opened. */
export const NO_URL = "http:?";

/** The URL as `URL.toString` prints it: lower-case protocol, no empty host. Throws the product's syntax errors. */
export function readUrl(given: string): string {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(given)?.[1];
  checkCharacters(given);
  if (scheme === undefined) throw illegalArgument("URI is not absolute");
  const rest = given.slice(scheme.length + 1);
  if (rest === "")
    throw badSyntax(`Expected scheme-specific part at index ${given.length}: ${given}`);
  if (rest === "//") throw badSyntax(`Expected authority at index ${given.length}: ${given}`);
  const protocol = scheme.toLowerCase();
  if (!known.has(protocol)) {
    throw illegalArgument("Unable to parse URL repository setting", {
      type: "malformed_u_r_l_exception",
      reason: `unknown protocol: ${protocol}`,
      status: 500,
    });
  }
  return `${protocol}:${rest.replace(/^\/{3,}/, "/")}`;
}

function checkCharacters(given: string): void {
  const name = /^([^/?#:]*):/.exec(given)?.[1] ?? "";
  const odd = name.search(/^[^a-zA-Z]|[^a-zA-Z0-9+.-]/);
  if (odd >= 0) throw badSyntax(`Illegal character in scheme name at index ${odd}: ${given}`);
  const escape = given.search(/%(?![0-9a-fA-F]{2})/);
  if (escape >= 0) throw badSyntax(`Malformed escape pair at index ${escape}: ${given}`);
  const at = given.search(/[\s<>"{}|\\^`]/);
  if (at < 0) return;
  const authority = /^[^:]*:\/\/[^/]*/.exec(given)?.[0].length ?? 0;
  const part = at < authority ? "authority" : "path";
  throw badSyntax(`Illegal character in ${part} at index ${at}: ${given}`);
}

function badSyntax(reason: string): Error {
  const cause: Problem = { type: "u_r_i_syntax_exception", reason, status: 400 };
  return illegalArgument(reason, cause);
}

/** Settings of a node that determine which URLs it may use. */
export interface UrlRules {
  /** `path.repo` */
  readonly folders: readonly string[];
  /** `repositories.url.allowed_urls` */
  readonly urls: readonly string[];
  /** `repositories.url.supported_protocols` */
  readonly protocols: readonly string[];
}

/** Reads the URL rules from a node's settings. */
export function urlRules(settings: NodeSettings): UrlRules {
  const protocols = settings["repositories.url.supported_protocols"];
  return {
    folders: readList(settings["path.repo"]),
    urls: readList(settings["repositories.url.allowed_urls"]),
    protocols: readList(protocols ?? "http,https,ftp,file,jar"),
  };
}

/** The address of a URL that the node may use, in its normal form. Throws `repository_exception` for any other. */
export function allowedUrl(name: string, url: string, node: UrlRules): BlobAddress {
  const protocol = url.slice(0, url.indexOf(":"));
  if (!node.protocols.includes(protocol)) {
    throw repositoryError(name, `unsupported url protocol [${protocol}] from URL [${url}]`);
  }
  const parts = partsOf(url);
  const pattern = node.urls.find((allowed) => matchesUrl(allowed, parts));
  if (parts !== undefined && pattern !== undefined) {
    const location = printed(parts);
    return { type: "url", location, within: [folderOf(pattern)], redirected: onward(node) };
  }
  const path = url.startsWith("file:") ? url.slice("file:".length) : undefined;
  if (path !== undefined && !path.startsWith("/")) {
    throw repositoryError(
      name,
      "cannot create blob store",
      illegalArgument("URI is not hierarchical"),
    );
  }
  const isOfFile = parts?.scheme === "file" && parts.authority === "";
  if (isOfFile && locationIn(node.folders, unescaped(parts.path)) !== undefined)
    return { type: "url", location: printed(parts), within: node.folders };
  throw repositoryError(
    name,
    `file url [${url}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`,
  );
}

/** Check of redirects: the target must match an allowed URL, or be below one. Undefined for a target that may not be followed. */
function onward({ urls, protocols }: UrlRules): NonNullable<BlobAddress["redirected"]> {
  return (to) => {
    const parts = partsOf(to);
    if (parts === undefined || !protocols.includes(parts.scheme)) return undefined;
    const steps = parts.path.split("/");
    const isBelow = steps.some((_, i) => {
      const path = steps.slice(0, steps.length - i).join("/");
      return [path, `${path}/`].some((folder) =>
        urls.some((allowed) => matchesUrl(allowed, { ...parts, path: folder })),
      );
    });
    return isBelow ? printed(parts) : undefined;
  };
}

/** Components of a URL (RFC 3986), with a normalised path. */
interface UrlParts {
  readonly scheme: string;
  /** Empty when absent. */
  readonly authority: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

const GENERIC = /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** The components; undefined for a URL without a normal form. */
function partsOf(url: string): UrlParts | undefined {
  const found = GENERIC.exec(url);
  if (found === null) return undefined;
  const [, scheme = "", authority = "", given = "", query, fragment] = found;
  const path = normalUrlPath(given);
  if (path === undefined || /[\\\s]/.test(url)) return undefined;
  return { scheme: scheme.toLowerCase(), authority, path, query, fragment };
}

function printed({ scheme, authority, path, query, fragment }: UrlParts): string {
  const host = authority === "" ? "" : `//${authority}`;
  const rest = `${query === undefined ? "" : `?${query}`}${fragment === undefined ? "" : `#${fragment}`}`;
  return `${scheme}:${host}${path}${rest}`;
}

/** The path without `.`, `..` (escaped ones included) and empty steps. Undefined if a step contains an escaped slash. */
function normalUrlPath(path: string): string | undefined {
  const steps: string[] = [];
  const given = path.split("/");
  for (const step of given) {
    const plain = fullyUnescaped(step);
    if (plain === undefined || isAmbiguous(plain)) return undefined;
    if (plain === "..") steps.pop();
    else if (plain !== "." && plain !== "") steps.push(step);
  }
  if (!path.startsWith("/")) return steps.join("/");
  const last = fullyUnescaped(given.at(-1) ?? "") ?? "";
  const isFolder = steps.length > 0 && (last === "" || isDots(last));
  return `/${steps.join("/")}${isFolder ? "/" : ""}`;
}

/** Whether the step contains a separator of some programs. Some servers also cut a step at its semicolon, which turns `..;x` into `..`. */
function isAmbiguous(step: string): boolean {
  const [name = "", ...parameters] = step.split(";");
  if (parameters.length > 0 && isDots(name)) return true;
  return [...step].some((character) => character < " " || character === "/" || character === "\\");
}

function isDots(step: string): boolean {
  return step === "." || step === "..";
}

/** Limit of nested escapes; a text with more has no normal form. */
const MOST_ROUNDS = 4;

/** The text after repeated unescaping until it does not change; undefined beyond the limit. */
function fullyUnescaped(text: string): string | undefined {
  let plain = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = unescaped(plain);
    if (next === plain) return plain;
    plain = next;
  }
  return undefined;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Escapes that are no UTF-8 are decoded byte by byte, which suffices to find dots and slashes.
    return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}

/** Match of a URL component by component (`URIPattern`): a star does not match beyond its component. */
function matchesUrl(pattern: string, url: UrlParts | undefined): boolean {
  const found = GENERIC.exec(pattern);
  if (url === undefined || found === null) return false;
  const [, scheme = "", authority = "", path = "", query, fragment] = found;
  const { user, host } = splitAuthority(url.authority);
  const wanted = splitAuthority(authority);
  return (
    isLike(scheme.toLowerCase(), url.scheme) &&
    isLike(wanted.host, host) &&
    (user === undefined ? wanted.user === undefined : isLike(wanted.user, user)) &&
    isLike(query, url.query) &&
    isLike(unescaped(path), unescaped(url.path)) &&
    isLike(fragment, url.fragment)
  );
}

function splitAuthority(authority: string): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf("@");
  return at < 0
    ? { user: undefined, host: authority }
    : { user: authority.slice(0, at), host: authority.slice(at + 1) };
}

/** Match of one component (`Regex.simpleMatch`); an absent one is matched by an absent pattern or `*`. */
function isLike(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return text === undefined;
  return text === undefined ? pattern === "*" : matchesGlob(pattern, text);
}

/** The folder of a pattern, before its first star: opened files must be below it. */
function folderOf(pattern: string): string {
  const path = unescaped(GENERIC.exec(pattern)?.[3] ?? "/");
  const star = path.indexOf("*");
  return star < 0 ? path : path.slice(0, path.lastIndexOf("/", star) + 1);
}

/** The normal path of a location: a relative one is resolved below the first folder. Undefined unless the path is in one of the folders. */
export function locationIn(folders: readonly string[], given: string): string | undefined {
  const roots = folders.map(normalPath);
  const [first] = roots;
  if (first === undefined) return undefined;
  const path = given.startsWith("/") ? normalPath(given) : normalPath(`${first}/${given}`);
  return roots.some((root) => path === root || path.startsWith(`${root}/`)) ? path : undefined;
}

function normalPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}
