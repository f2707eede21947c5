/** Bundles of failures in a bucket: a server that speaks the protocol of S3 gets them, or a sentence says why not. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBucket } from "../src/bucket.ts";
import type { SweptRun } from "../src/sweep/totals.ts";
import { failing, last, run } from "./command.ts";

let folder: string;
let server: Server;
let objects: Map<string, Buffer>;
/** Status of the answer to a request, by its path. */
let statusOf: (path: string) => number;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bucket-"));
  objects = new Map();
  statusOf = () => 200;
  server = createServer(({ method, url = "", headers }, response) => {
    const chunks: Buffer[] = [];
    const signed = /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-central-1\/s3\/aws4_request, /;
    void (async () => {
      const request = response.req;
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const status = signed.test(headers.authorization ?? "") ? statusOf(url) : 403;
      if (status === 200 && method === "PUT") objects.set(url, Buffer.concat(chunks));
      if (status === 200 && method === "DELETE") objects.delete(url);
      response.statusCode = status;
      response.end(
        status === 200 ? "" : "<Error><Code>AccessDenied</Code><Message>Not you</Message></Error>",
      );
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  env = {
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_REGION: "eu-central-1",
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/`,
  };
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A sweep with the variables of the bucket. */
async function sweep(...args: readonly string[]) {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await run("sweep", ...args, "--jobs", "1", "--json");
  } finally {
    for (const name of Object.keys(env)) {
      delete process.env[name];
      if (before[name] !== undefined) process.env[name] = before[name];
    }
  }
}

const firstRun = ({ out }: { readonly out: string }): SweptRun =>
  JSON.parse(out.split("\n")[0] ?? "") as SweptRun;

test("a sweep keeps its bundles in a bucket, where they replay", async () => {
  const outcome = await sweep(
    file("lossy.yaml", failing),
    "--seeds",
    "1",
    "--keep",
    "s3://books/sweeps/1",
  );

  expect(firstRun(outcome).bundle).toBe("s3://books/sweeps/1/test-lossy-seed-1.bundle");
  expect([...objects.keys()]).toEqual(["/books/sweeps/1/test-lossy-seed-1.bundle"]);
  const copy = join(folder, "copy.bundle");
  writeFileSync(copy, objects.get("/books/sweeps/1/test-lossy-seed-1.bundle") ?? "");
  expect(last(await run("replay", copy, "--json"))).toMatchObject({ same: true, verdict: "fail" });
});

test("a bundle that cannot be uploaded stays, and hides no verdict", async () => {
  statusOf = (path) => (path.endsWith(".bundle") ? 403 : 200);

  const outcome = await sweep(file("lossy.yaml", failing), "--seeds", "1", "--keep", "s3://books");

  const { why, bundle = "" } = firstRun(outcome);
  expect(outcome.code).toBe(1);
  expect(why).toMatch(
    /^INV-DATA-1, .*; the bundle was not uploaded: status 403, AccessDenied, Not you$/,
  );
  expect(existsSync(bundle)).toBe(true);
  rmSync(join(bundle, ".."), { recursive: true });
});

test("a bucket that cannot be written is refused before anything runs", async () => {
  env = { ...env, AWS_ACCESS_KEY_ID: "other" };

  const { code, out, err } = await sweep(file("lossy.yaml", failing), "--keep", "s3://books");

  expect([code, out]).toEqual([2, ""]);
  expect(err).toBe("orrery: [s3://books] cannot be written: status 403, AccessDenied, Not you\n");
});

test.each([
  ["s3://", "[--keep] must be a folder or [s3://BUCKET/PREFIX], not [s3://]"],
  ["s3://Books", "[--keep] must be a folder or [s3://BUCKET/PREFIX], not [s3://Books]"],
  [
    "s3://books",
    "[--keep s3://books] needs the credentials AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  ],
])("[%s] without credentials is refused", (address, sentence) => {
  expect(() => openBucket(address, "--keep", {})).toThrow(sentence);
});
