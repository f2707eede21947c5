/** What repositories' settings may say. */
import { OperationError, problemOf, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  composeRepositoryTypes,
  coreRepositoryTypes,
  createNodeRepositories,
  type NodeSettings,
  type RepositoryDefinition,
  type RepositorySettings,
} from "../src/index.ts";
import { allowedUrl, urlRules } from "../src/repository-url.ts";

const nodeSettings = {
  "path.repo": "/repo",
  "repositories.url.allowed_urls": "http://snapshots.test/*",
};
const places = urlRules(nodeSettings);

const read = (definition: RepositoryDefinition, settings: NodeSettings): RepositorySettings =>
  createNodeRepositories({
    types: composeRepositoryTypes(coreRepositoryTypes),
    settings,
    world: {
      blobs: { types: ["fs", "url"], open: () => unreached() },
      transport: { request: () => unreached() },
      nodes: () => [],
    },
  }).settings(definition);

function unreached(): never {
  throw new Error("settings are read without the world");
}

const fs = (
  settings: RepositoryDefinition["settings"],
  node: NodeSettings = {},
): RepositorySettings =>
  read(
    { name: "r", type: "fs", settings: { location: "x", ...settings } },
    { ...nodeSettings, ...node },
  );

const url = (address: string | null | undefined): RepositorySettings =>
  read(
    { name: "u", type: "url", settings: address === undefined ? {} : { url: address } },
    nodeSettings,
  );

function refusal(attempt: () => unknown): Problem {
  try {
    attempt();
  } catch (error) {
    if (error instanceof OperationError) return problemOf(error);
    throw error;
  }
  throw new Error("it was taken");
}

describe("sizes and flags", () => {
  test.each([
    ["chunk_size", "4b", "failed to parse value [4b] for setting [chunk_size], must be >= [5b]"],
    ["io_buffer_size", "1kb", "must be >= [8kb]"],
    ["chunk_size", "1.5kb", "Fractional bytes values have been deprecated"],
    ["max_remote_upload_bytes_per_sec", "zz", "unit is missing or unrecognized"],
    ["cache_repository_data", "x", "only [true] or [false] are allowed"],
  ])("%s of %s is refused, and the repository with it", (key, value, reason) => {
    const problem = refusal(() => fs({ [key]: value }));

    expect([problem.reason, problem.status]).toEqual(["[r] failed to create repository", 500]);
    expect(problem.causedBy?.reason).toContain(reason);
  });

  test("flags that the cluster reads itself are bad requests", () => {
    expect(refusal(() => fs({ remote_store_index_shallow_copy: "maybe" })).status).toBe(400);
    expect(refusal(() => fs({ system_repository: "true" })).reason).toContain(
      "this setting is managed by OpenSearch",
    );
  });

  test("rates of zero and below mean no limit", () => {
    const settings = fs({ max_snapshot_bytes_per_sec: "0", max_restore_bytes_per_sec: "-1" });

    expect([settings.snapshotBytesPerSecond, settings.restoreBytesPerSecond]).toEqual([0, 0]);
  });
});

describe("lists and nulls", () => {
  test("a list reads as Java prints it", () => {
    expect(fs({ location: ["x", "y"] }).address.location).toBe("/repo/[x, y]");
    expect(refusal(() => fs({ compress: ["true"] })).causedBy?.reason).toBe(
      "Failed to parse value [[true]] as only [true] or [false] are allowed.",
    );
  });

  test("null stands for the default, even where the node has another", () => {
    const node = { "repositories.fs.chunk_size": "1kb" };

    expect(fs({}, node).chunkBytes).toBe(1024);
    expect(fs({ chunk_size: "5mb" }, node).chunkBytes).toBe(5 * 1024 * 1024);
    expect(fs({ chunk_size: null }, node).chunkBytes).toBe(0);
    expect(fs({ compress: null }).compression).toBe("none");
    expect(refusal(() => fs({ location: null })).causedBy?.reason).toBe("[r] missing location");
  });
});

test("a location is a path", () => {
  expect(refusal(() => fs({ location: "a\0b" })).causedBy).toMatchObject({
    type: "invalid_path_exception",
    reason: "Nul character not allowed: a\0b",
  });
});

describe("node settings", () => {
  test("compression is taken from the repository alone", () => {
    expect(fs({}, { "repositories.fs.compress": "true" }).compression).toBe("none");
  });

  test("a location under the name of the node setting comes first", () => {
    const { location } = fs({ "repositories.fs.location": "y" }).address;

    expect(location).toBe("/repo/y");
  });

  test("protocols that are not listed may not be used", () => {
    const node = urlRules({ "repositories.url.supported_protocols": "http, file" });

    expect(() => allowedUrl("u", "ftp://snapshots.test/x", node)).toThrow(
      "[u] unsupported url protocol [ftp] from URL [ftp://snapshots.test/x]",
    );
  });
});

describe("URLs", () => {
  test.each([
    ["foo", "URI is not absolute"],
    ["", "URI is not absolute"],
    ["http://", "Expected authority at index 7: http://"],
    ["file:", "Expected scheme-specific part at index 5: file:"],
    ["http://a b", "Illegal character in authority at index 8: http://a b"],
    ["http://h/a b", "Illegal character in path at index 10: http://h/a b"],
    ["[file:/x]", "Illegal character in scheme name at index 0: [file:/x]"],
    ["fi_le:/x", "Illegal character in scheme name at index 2: fi_le:/x"],
    ["%zz", "Malformed escape pair at index 0: %zz"],
    ["foo:bar", "Unable to parse URL repository setting"],
  ])("%s is refused: %s", (address, reason) => {
    expect(refusal(() => url(address)).causedBy?.reason).toBe(reason);
  });

  test("one must be given", () => {
    expect(refusal(() => url(undefined)).causedBy?.reason).toBe("[u] missing url");
    expect(() => allowedUrl("u", url(null).address.location, places)).toThrow(
      "[u] file url [http:?] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls",
    );
  });

  test.each([
    ["file:///repo/x", "file:/repo/x"],
    ["file:////repo/x", "file:/repo/x"],
    ["HTTP://snapshots.test/x", "http://snapshots.test/x"],
  ])("%s is where it says, as %s", (given, address) => {
    const { location } = url(given).address;

    expect(location).toBe(address);
    expect(() => allowedUrl("u", location, places)).not.toThrow();
  });

  test.each([
    "http://snapshots.test/a/../../secret/",
    "http://snapshots.test/a/%2e%2e/secret/",
    "http://snapshots.test/a/%2E./secret/",
    "http://snapshots.test/a/..%2fsecret/",
    "http://snapshots.test/a/%252e%252e/secret/",
    "http://snapshots.test/a/..;x/secret/",
    "http://snapshots.test/a/%5c../secret/",
    "http://snapshots.test/a/x%00/",
    "http://user:pw@snapshots.test/a/x/",
    "http://snapshots.test@elsewhere.test/a/x/",
    "http://elsewhere.test/a/x/",
    "http://snapshots.test:81/a/x/",
    "http://snapshots.test/a/x?q=1",
    "http://snapshots.test/a/x#f",
    "http://snapshots.test/aa/x",
    "http://snapshots.test",
    "http:snapshots.test/a/x",
    "jar:http://snapshots.test/a/x.jar!/",
    "file:/files/../secret",
    "file:/files/%2e%2e/secret",
    "file:/files/%252e%252e/secret",
    "file:/files/..%2fsecret",
    "file:/repo/../secret",
    "file:/repo/%2e%2e/secret",
    "file:/repo/..%2fsecret",
    "file:/repository",
    "file://localhost/repo/x",
  ])("%s leaves what is allowed", (address) => {
    const allowed = "http://snapshots.test/a/*,file:/files/*";
    const node = {
      ...places,
      ...urlRules({ "repositories.url.allowed_urls": allowed }),
    };

    expect(() => allowedUrl("u", address, { ...node, folders: ["/repo"] })).toThrow(
      `[u] file url [${address}] doesn't match any of the locations`,
    );
  });

  test.each([
    ["http://snapshots.test/c/../a/x/", "http://snapshots.test/a/x/"],
    ["http://snapshots.test//a//x/", "http://snapshots.test/a/x/"],
    ["http://snapshots.test/a/%78/", "http://snapshots.test/a/%78/"],
    ["http://snapshots.test/c/%2e%2e/a/x", "http://snapshots.test/a/x"],
    ["file:/files/./x", "file:/files/x"],
    ["file:/repo/a/../x", "file:/repo/x"],
  ])("%s is reached in the form that was compared, %s", (address, location) => {
    const allowed = "http://snapshots.test/a/*,file:/files/*";
    const node = urlRules({
      "path.repo": "/repo",
      "repositories.url.allowed_urls": allowed,
    });

    expect(allowedUrl("u", address, node).location).toBe(location);
  });

  test("a redirection is followed to what is allowed, or below it", () => {
    const node = urlRules({
      "repositories.url.allowed_urls": "http://snapshots.test/a/*,http://other.test/b",
    });
    const { redirected } = allowedUrl("u", "http://snapshots.test/a/x", node);

    expect(redirected?.("http://other.test/b/index.latest")).toBe(
      "http://other.test/b/index.latest",
    );
    expect(redirected?.("http://snapshots.test/a/y/../z")).toBe("http://snapshots.test/a/z");
    expect(redirected?.("http://other.test/bb")).toBeUndefined();
    expect(redirected?.("http://snapshots.test/a/%2e%2e/z")).toBeUndefined();
    expect(redirected?.("file:/repo/x")).toBeUndefined();
  });

  test("a star among the allowed ones stands for text within its part", () => {
    const node = urlRules({ "repositories.url.allowed_urls": "http://*.test/*/x" });
    const isAllowed = (address: string): boolean => {
      try {
        return allowedUrl("u", address, node).type === "url";
      } catch {
        return false;
      }
    };

    expect(isAllowed("http://a.test/b/c/x")).toBe(true);
    expect(isAllowed("http://elsewhere.example/.test/x")).toBe(false);
    expect(isAllowed(`http://${"a.test".repeat(4000)}/y`)).toBe(false);
  });

  test.each([
    ["file:/etc", "doesn't match any of the locations"],
    ["file://host/repo", "doesn't match any of the locations"],
    ["file:x", "cannot create blob store"],
    ["mailto:x", "unsupported url protocol [mailto] from URL [mailto:x]"],
  ])("%s may not be used", (address, reason) => {
    expect(() => allowedUrl("u", address, places)).toThrow(reason);
  });
});
