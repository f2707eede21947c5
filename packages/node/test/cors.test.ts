/** What `http.cors.*` of a node's settings come to. Sentences as OpenSearch 3.8.0 gave them. */
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { corsPolicyOf } from "../src/index.ts";

const enabled = { "http.cors.enabled": "true" };

function allows(allowOrigin: string, origin: string): boolean {
  const policy = corsPolicyOf({ ...enabled, "http.cors.allow-origin": allowOrigin });
  return policy?.origins === "any" || policy?.origins(origin) === true;
}

test("without `http.cors.enabled` no other value counts, a wrong one neither", () => {
  expect(corsPolicyOf({ "http.cors.allow-origin": "/(/" })).toBeUndefined();
  expect(corsPolicyOf({ ...enabled, "http.cors.enabled": "false" })).toBeUndefined();
});

test.each([
  ["http://a.example, http://b.example", "http://b.example", true],
  ["http://a.example", "http://a.example:80", false],
  ["http://a.example , *", "http://b.example", false],
  ["*", "http://anything", true],
  ["", "http://a.example", false],
  [String.raw`/https?:\/\/localhost(:[0-9]+)?/`, "http://localhost:8080", true],
  [String.raw`/https?:\/\/localhost(:[0-9]+)?/`, "http://localhost:8080.evil.example", false],
  [String.raw`/https?:\/\/localhost(:[0-9]+)?/`, "http://evil.example/http://localhost", false],
  ["//", "//", true],
])("allow-origin [%s] and a page [%s]: %s", (setting, origin, isAllowed) => {
  expect(allows(setting, origin)).toBe(isAllowed);
});

test("a pattern that runs for ever elsewhere is matched in few steps", () => {
  expect(allows("/(a+)+b/", "a".repeat(5000))).toBe(false);
});

test("lists are trimmed, methods are in capitals, and both have defaults", () => {
  const given = corsPolicyOf({
    ...enabled,
    "http.cors.allow-methods": "get, POST,,patch",
    "http.cors.allow-headers": " X-A, X-B,,X-A",
    "http.cors.allow-credentials": "true",
    "http.cors.max-age": "5",
  });
  const byDefault = corsPolicyOf(enabled);

  expect(given).toMatchObject({
    methods: ["GET", "POST", "PATCH"],
    headers: ["X-A", "X-B"],
    allowsCredentials: true,
    maxAgeSeconds: 5,
  });
  expect(byDefault).toMatchObject({
    methods: ["OPTIONS", "HEAD", "GET", "POST", "PUT", "DELETE"],
    headers: ["X-Requested-With", "Content-Type", "Content-Length"],
    allowsCredentials: false,
    maxAgeSeconds: 1728000,
  });
});

test.each([
  ["http.cors.allow-origin", "/(/", "Bad regex in [http.cors.allow-origin]: [/(/]"],
  [
    "http.cors.allow-methods",
    "GET POST",
    "No enum constant org.opensearch.rest.RestRequest.Method.GET POST",
  ],
])("[%s] with [%s] is refused in one sentence", (key, value, reason) => {
  let problem: OperationError | undefined;
  try {
    corsPolicyOf({ ...enabled, [key]: value });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    problem = error;
  }

  expect(problem?.problem.reason).toBe(reason);
});
