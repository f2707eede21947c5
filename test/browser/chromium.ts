/** Runs scenarios in a page of Chromium, without a window: the page is served from here, and tells what came out. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import type { Hashed } from "../hashes.ts";
import type { PageWork } from "./page.ts";

const root = join(import.meta.dirname, "../..");

/** Its program on this machine, if there is one. */
export function chromiumHere(): string | undefined {
  return ["chromium", "chromium-browser", "google-chrome"].find((name) => {
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

export async function hashesInChromium(
  chromium: string,
  work: PageWork,
  { isIsolated }: { readonly isIsolated: boolean },
): Promise<ReadonlyMap<string, Hashed>> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-page-"));
  const { server, told } = serve(await pageProgram(), work, isIsolated);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const browser = execFile(chromium, [
    ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
    ...[`--user-data-dir=${folder}`, `http://127.0.0.1:${port}/`],
  ]);
  const ended = new Promise<never>((_, reject) => {
    browser.on("exit", (code) => reject(new Error(`Chromium ended with [${code}]`)));
  });
  try {
    const { hashed = [], failure } = JSON.parse(await Promise.race([told, ended])) as Told;
    if (failure !== undefined) throw new Error(failure);
    return new Map(hashed.map((one) => [one.file, one]));
  } finally {
    ended.catch(() => undefined);
    browser.kill();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Told {
  readonly hashed?: readonly Hashed[];
  readonly failure?: string;
}

/** One module of the page and of all that it runs. */
async function pageProgram(): Promise<string> {
  const packages = readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name);
    const text = readFileSync(join(folder, "package.json"), "utf8");
    const { exports } = JSON.parse(text) as {
      readonly exports: Readonly<Record<string, { readonly source?: string }>>;
    };
    return Object.entries(exports).flatMap(([entry, { source }]) =>
      source === undefined ? [] : [[`@orrery/${name}${entry.slice(1)}$`, join(folder, source)]],
    );
  });
  const { output } = await build({
    cwd: root,
    input: join(import.meta.dirname, "page.ts"),
    platform: "browser",
    write: false,
    resolve: {
      alias: {
        ...(Object.fromEntries(packages) as Record<string, string>),
        "node:assert": join(import.meta.dirname, "assert.cjs"),
      },
    },
    transform: { define: { WebAssembly: "undefined" } },
    logLevel: "silent",
    output: { format: "esm", codeSplitting: false },
  });
  return output[0].code;
}

/** `isIsolated`: the page may share memory between threads. */
function serve(
  program: string,
  work: PageWork,
  isIsolated: boolean,
): { readonly server: Server; readonly told: Promise<string> } {
  const isolation = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  };
  const pages: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html", '<!doctype html><script type="module" src="/page.js"></script>'],
    "/page.js": ["text/javascript", program],
    "/work": ["application/json", JSON.stringify(work)],
  };
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const [type, body] = pages[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(200, { "content-type": type, ...(isIsolated ? isolation : {}) });
    response.end(body);
    if (request.url === "/hashes") void bodyOf(request).then(resolve);
  });
  return { server, told };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

export function workOf(files: readonly string[], seed: number): PageWork {
  const scenarios = files.map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
  return { seed, scenarios };
}
