/** The URL of a `url` repository: read as Java reads it, and allowed or not. Source: `URLRepository`. */
import { illegalArgument, matchesGlob, type Problem } from "@orrery/stdx";
import type { NodeRepositorySettings } from "./node-settings.ts";
import { repositoryError } from "./problems.ts";

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

/** The address is looked at when it is first used. Throws `repository_exception`s. */
export function checkUrl(name: string, url: string, node: NodeRepositorySettings): void {
  const protocol = url.slice(0, url.indexOf(":"));
  if (!node.protocols.includes(protocol)) {
    throw repositoryError(name, `unsupported url protocol [${protocol}] from URL [${url}]`);
  }
  if (node.urls.some((allowed) => matchesGlob(allowed, url))) return;
  const path = url.startsWith("file:") ? url.slice("file:".length) : undefined;
  if (path !== undefined && !path.startsWith("/")) {
    throw repositoryError(
      name,
      "cannot create blob store",
      illegalArgument("URI is not hierarchical"),
    );
  }
  const isInside = path !== undefined && !path.startsWith("//");
  if (isInside && locationIn(node.folders, path) !== undefined) return;
  throw repositoryError(
    name,
    `file url [${url}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`,
  );
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
