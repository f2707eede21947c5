/** The URL of a `url` repository: read as Java reads it, and allowed or not. Source: `URLRepository`. */
import type { BlobAddress } from "@orrery/ports";
import { illegalArgument, matchesGlob, type Problem } from "@orrery/stdx";
import { repositoryError } from "./problems.ts";
import { readList } from "./read-setting.ts";
import type { NodeSettings } from "./repository-type.ts";

const known: ReadonlySet<string> = new Set(["http", "https", "ftp", "file", "jar", "mailto"]);

/** What the product has where the address is `null`; it leads nowhere. */
export const NO_URL = "http:?";

/** As `URL.toString` prints it: the protocol in lower case, an empty host left out. Throws what is wrong with it. */
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

/** The settings of a node that say which URLs it uses. */
export interface UrlRules {
  /** `path.repo` */
  readonly folders: readonly string[];
  /** `repositories.url.allowed_urls` */
  readonly urls: readonly string[];
  /** `repositories.url.supported_protocols` */
  readonly protocols: readonly string[];
}

export function urlRules(settings: NodeSettings): UrlRules {
  const protocols = settings["repositories.url.supported_protocols"];
  return {
    folders: readList(settings["path.repo"]),
    urls: readList(settings["repositories.url.allowed_urls"]),
    protocols: readList(protocols ?? "http,https,ftp,file,jar"),
  };
}

/**
 * Where the URL leads, when this node may go there: in its normal form, which is the one that was compared. The address is looked at when it
 * is first used. Throws `repository_exception`s.
 */
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

/** Where a server sends whoever asks for a blob must be allowed, too: a place that matches, or something below one. */
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

/** Of RFC 3986, the path in its normal form. */
interface UrlParts {
  readonly scheme: string;
  /** Empty where there is none. */
  readonly authority: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

const GENERIC = /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** `undefined` for one whose path programs read in different ways. */
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

/** Without steps up, however they are escaped, and without empty ones. A slash that is escaped has no normal form. */
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

/** It holds what ends a step for some programs; some servers cut a step at its semicolon. */
function isAmbiguous(step: string): boolean {
  const [name = "", ...parameters] = step.split(";");
  if (parameters.length > 0 && isDots(name)) return true;
  return [...step].some((character) => character < " " || character === "/" || character === "\\");
}

function isDots(step: string): boolean {
  return step === "." || step === "..";
}

/** Nobody escapes more often than this and means it well. */
const MOST_ROUNDS = 4;

/** What is left when nothing can be unescaped any more. */
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
    // Not of UTF-8: byte by byte, which is enough to find dots and slashes.
    return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}

/** Part by part, as `URIPattern` does: a star stays in its part. */
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

/** Source: `Regex.simpleMatch`. */
function isLike(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return text === undefined;
  return text === undefined ? pattern === "*" : matchesGlob(pattern, text);
}

/** The folder that a pattern of files names before its first star. */
function folderOf(pattern: string): string {
  const path = unescaped(GENERIC.exec(pattern)?.[3] ?? "/");
  const star = path.indexOf("*");
  return star < 0 ? path : path.slice(0, path.lastIndexOf("/", star) + 1);
}

/** A relative location is below the first folder; an absolute one must be below one of them. */
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
