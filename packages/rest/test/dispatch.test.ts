/** The frame: what happens to a request before, around and after its operation. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { dispatch } from "../src/dispatch.ts";
import { warningHeader } from "../src/product.ts";
import { fakeCluster, send } from "./fake-cluster.ts";
import { found } from "./found.ts";

const reasonOf = (json: unknown): unknown =>
  (json as { error?: { reason?: string } }).error?.reason;

describe("a path or method nobody serves", () => {
  const { cluster } = fakeCluster();

  test("an unknown path is 400, without a status in the body", async () => {
    const { status, json } = await send(cluster, "GET /a/b/c?x=1");

    expect(status).toBe(400);
    expect(json).toEqual({ error: "no handler found for uri [/a/b/c?x=1] and method [GET]" });
  });

  test.each([
    ["GET /_tasks"],
    ["POST /_reindex?wait_for_completion=false"],
    ["GET /_cat/thread_pool"],
    ["POST /books/_delete_by_query"],
  ])("%s says that there is no such operation yet", async (request) => {
    const { status, json } = await send(cluster, request);

    const [method = "", uri = ""] = request.split(" ");
    const product = `no handler found for uri [${uri}] and method [${method}]`;
    expect([status, json]).toEqual([
      400,
      { error: `${product}: Orrery has no such operation yet` },
    ]);
  });

  test.each([
    ["GET /_cat/thread_pool", "no handler found for uri [/_cat/thread_pool] and method [GET]"],
    [
      "POST /_reindex",
      "Incorrect HTTP method for uri [/_reindex] and method [POST], allowed: [DELETE, GET, HEAD, PUT]",
    ],
  ])("%s is answered in the product's words under orrery.strict", async (request, error) => {
    const strict = fakeCluster({}, { isStrict: true }).cluster;

    expect((await send(strict, request)).json).toMatchObject({ error });
  });

  test("a wrong method is 405 with the methods of the explicit path, not of an index name", async () => {
    const { status, headers, json } = await send(cluster, "PUT /_refresh?x=1");

    expect(status).toBe(405);
    expect(headers["Allow"]).toBe("GET,POST");
    expect(json).toEqual({
      error: "Incorrect HTTP method for uri [/_refresh?x=1] and method [PUT], allowed: [GET, POST]",
      status: 405,
    });
  });

  test("OPTIONS tells the methods", async () => {
    const { status, headers, text } = await send(cluster, "OPTIONS /_search");

    expect([status, headers["Allow"], text]).toEqual([200, "GET,POST", ""]);
  });

  test("a path that cannot be decoded, and a verb nobody knows, are unexpected methods", async () => {
    const broken = await send(cluster, "GET /%zz");
    const verb = await send(cluster, "BREW /_search");

    expect(broken.json).toEqual({
      error: "Unexpected HTTP method, allowed: [DELETE, GET, HEAD, PUT]",
      status: 405,
    });
    expect(verb.json).toEqual({
      error: "Unexpected HTTP method, allowed: [GET, POST]",
      status: 405,
    });
  });
});

/** Everything here was asked of OpenSearch 3.8.0. */
describe("escapes", () => {
  const { cluster } = fakeCluster();
  const pathOf = (request: string): Promise<unknown> =>
    send(cluster, `GET /${request}/_search?nosuch=1`).then(({ json }) => reasonOf(json));

  test.each([
    ["a%ffb", "a\ufffdb"],
    ["%e2%82a", "\ufffda"],
    ["%f0%9f%98", "\ufffd"],
    ["%ed%a0%80", "\ufffd"],
    ["%c0%80", "\ufffd\ufffd"],
    ["%f0%80%80%80", "\ufffd\ufffd\ufffd\ufffd"],
    ["%e2%82%ac%80", "\u20ac\ufffd"],
    ["%ff%2F%C3%BC", "\ufffd/\u00fc"],
    ["%%41", "%41"],
  ])("of %s are read as %j, in paths and parameters", async (escaped, text) => {
    expect(await pathOf(escaped)).toBe(
      `request [/${text}/_search] contains unrecognized parameter: [nosuch]`,
    );
    const { status, json } = await send(cluster, `GET /?pretty=${escaped}`);
    expect([status, reasonOf(json)]).toEqual([
      400,
      `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    ]);
  });

  test.each([
    ["a+b%", "unterminated escape sequence at end of string: a+b%"],
    ["x%ff%", "unterminated escape sequence at end of string: x%ff%"],
    ["%f", "partial escape sequence at end of string: %f"],
    ["x%zz", "invalid escape sequence `%zz' at index 1 of: x%zz"],
    ["%-1", "invalid escape sequence `%-1' at index 0 of: %-1"],
  ])("of %s are no path, and a bad parameter", async (escaped, reason) => {
    const { status, json } = await send(cluster, `GET /?pretty=${escaped}`);
    expect([status, json]).toMatchObject([
      400,
      {
        error: {
          type: "bad_parameter_exception",
          reason: `java.lang.IllegalArgumentException: ${reason}`,
          caused_by: { type: "illegal_argument_exception", reason },
        },
      },
    ]);
    expect((await send(cluster, `GET /${escaped}`)).status).toBe(405);
  });
});

describe("parameters", () => {
  const { cluster } = fakeCluster({
    refresh: { shards: { total: 0, successful: 0, failed: 0, failures: [] } },
  });

  test("how to print is asked before anything else", async () => {
    const { status, json } = await send(cluster, "GET /nosuch?pretty=maybe");

    expect(status).toBe(400);
    expect(reasonOf(json)).toBe(
      "Failed to parse value [maybe] as only [true] or [false] are allowed.",
    );
  });

  test("blanks belong to the names in a list", async () => {
    const spaced = await send(cluster, "GET /_snapshot/%20r,s");
    const states = await send(cluster, "GET /_search?expand_wildcards=open,%20closed");

    expect(reasonOf(spaced.json)).toBe("[ r] missing");
    expect(reasonOf(states.json)).toBe("No valid expand wildcard value [ closed]");
  });

  test("empty names count but at the end of a list", async () => {
    const inner = await send(cluster, "GET /_snapshot/r*,,s");
    const last = await send(cluster, "GET /_snapshot/r*,,");

    expect([reasonOf(inner.json), last.status]).toEqual(["[] missing", 200]);
  });

  test("an unknown one is refused with near misses, best first", async () => {
    const one = await send(cluster, "GET /_cluster/health?wait_for_statu=green");
    const pretty = await send(cluster, "GET /_search?pretti=true");

    expect(reasonOf(one.json)).toBe(
      "request [/_cluster/health] contains unrecognized parameter: [wait_for_statu] -> did you mean any of [wait_for_status, wait_for_events, wait_for_nodes]?",
    );
    expect(reasonOf(pretty.json)).toBe(
      "request [/_search] contains unrecognized parameter: [pretti] -> did you mean [pretty]?",
    );
  });

  test("several are sorted by name, and those read on demand are not suggested", async () => {
    const { json } = await send(cluster, "GET /_search?sise=1&fron=2");

    expect(reasonOf(json)).toBe(
      "request [/_search] contains unrecognized parameters: [fron], [sise]",
    );
  });

  test.each([
    [
      "GET /_cluster/health?local=yes",
      "Failed to parse value [yes] as only [true] or [false] are allowed.",
    ],
    ["GET /_search?size=abc", "Failed to parse int parameter [size] with value [abc]"],
    ["GET /_search?from=-1", "[from] parameter cannot be negative, found [-1]"],
    [
      "GET /_search?timeout=abc",
      "failed to parse setting [timeout] with value [abc] as a time value: unit is missing or unrecognized",
    ],
    ["GET /_search?search_type=foo", "No search type for [foo]"],
    ["GET /_search?batched_reduce_size=1", "batchedReduceSize must be >= 2"],
    ["POST /_refresh?expand_wildcards=foo", "No valid expand wildcard value [foo]"],
    [
      "GET /_cluster/health?wait_for_events=foo",
      "No enum constant org.opensearch.common.Priority.FOO",
    ],
    ["PUT /x?wait_for_active_shards=foo", "cannot parse ActiveShardCount[foo]"],
    ["GET /?human=maybe", "Failed to parse value [maybe] as only [true] or [false] are allowed."],
    [
      "DELETE /_search/point_in_time/_all?source=x",
      "request [/_search/point_in_time/_all] contains unrecognized parameter: [source]",
    ],
  ])("%s is refused", async (request, reason) => {
    const { status, json } = await send(cluster, request);

    expect([status, reasonOf(json)]).toEqual([400, reason]);
  });

  test("both names of the manager timeout at once are refused; the old one is warned of", async () => {
    const { status, json, headers } = await send(
      cluster,
      "GET /_alias?master_timeout=1s&cluster_manager_timeout=1s",
    );

    expect([status, reasonOf(json)]).toEqual([
      400,
      "Please only use one of the request parameters [master_timeout, cluster_manager_timeout].",
    ]);
    expect(headers["Warning"]).toEqual([
      expect.stringMatching(
        /^299 OpenSearch-3\.8\.0-\w+ "Parameter \[master_timeout\] is deprecated/,
      ),
    ]);
  });

  test("what no header may hold is percent-encoded in a warning, the percent sign, too", () => {
    const told = (text: string): string | undefined => /"(.*)"$/s.exec(warningHeader(text))?.[1];

    expect(told('a\u0000b\r\n 100% ä 日本 "q" \\')).toBe(
      'a%00b%0D%0A 100%25 ä %E6%97%A5%E6%9C%AC \\"q\\" \\\\',
    );
  });

  test("a path's parameter may stand in the query", async () => {
    const { cluster: other, asked } = fakeCluster({
      refresh: { shards: { total: 0, successful: 0, failed: 0, failures: [] } },
    });

    const { status } = await send(other, "POST /_refresh?index=a,b");

    expect(status).toBe(200);
    expect(asked[0]?.argument).toMatchObject({ indices: ["a", "b"] });
  });
});

describe("a request line that came before", () => {
  const refresh = { shards: { total: 0, successful: 0, failed: 0, failures: [] } };

  test("is read again where it has another method, and refused for what is wrong beside it", async () => {
    const { cluster, asked } = fakeCluster({ refresh });
    const opaque = { "x-opaque-id": ["a", "b"] };
    const broken = { "content-type": "text/plain" };

    const first = await send(cluster, "POST /_refresh?index=a,b&pretty=true");
    const again = await send(cluster, "POST /_refresh?index=a,b&pretty=true");
    const statuses = await Promise.all([
      send(cluster, "PUT /_refresh?index=a,b&pretty=true"),
      send(cluster, "POST /_refresh?index=a,b&pretty=true", { headers: opaque }),
      send(cluster, "POST /_refresh?index=a,b&pretty=true", { body: "{}", headers: broken }),
    ]);

    expect(again).toEqual(first);
    expect(asked.map(({ argument }) => argument)).toMatchObject([
      { indices: ["a", "b"] },
      { indices: ["a", "b"] },
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([405, 400, 406]);
  });

  test("warns each time, and is refused each time for a parameter that nobody knows", async () => {
    const { cluster } = fakeCluster();
    for (let i = 0; i < 3; i += 1) {
      const { status, json, headers } = await send(
        cluster,
        "GET /_alias?master_timeout=1s&nosuch=1",
      );

      expect([status, reasonOf(json)]).toEqual([
        400,
        "request [/_alias] contains unrecognized parameter: [nosuch]",
      ]);
      expect(headers["Warning"]).toHaveLength(1);
    }
  });

  test("is one of so many that not all of them are kept", async () => {
    const { cluster, asked } = fakeCluster({ refresh });

    for (let i = 0; i < 600; i += 1) await send(cluster, `POST /n${i % 300}/_refresh`);

    expect(asked.map(({ argument }) => argument)).toMatchObject(
      Array.from({ length: 600 }, (_, i) => ({ indices: [`n${i % 300}`] })),
    );
  });
});

describe("bodies", () => {
  const { cluster } = fakeCluster();

  test.each([
    [undefined, "Content-Type header [] is not supported"],
    ["text/plain", "Content-Type header [text/plain] is not supported"],
    ["application/cbor", "Content-Type header [application/cbor] is not supported"],
  ])("of type %s are 406", async (type, error) => {
    const headers = type === undefined ? { "content-type": "" } : { "content-type": type };

    const { status, json } = await send(cluster, "POST /e/_search", { body: "{}", headers });

    expect([status, json]).toEqual([406, { error, status: 406 }]);
  });

  test("a content type that is no media type is 400", async () => {
    const { json } = await send(cluster, "POST /e/_search", {
      body: "{}",
      headers: { "content-type": "foo" },
    });

    expect(json).toMatchObject({
      error: {
        type: "content_type_header_exception",
        caused_by: {
          type: "illegal_argument_exception",
          reason: "invalid Content-Type header [foo]",
        },
      },
    });
  });

  test("YAML on a stream of documents is refused in YAML", async () => {
    const { status, headers, text } = await send(cluster, "POST /_bulk", {
      body: "a: 1\n",
      headers: { "content-type": "application/yaml" },
    });

    expect([status, headers["content-type"]]).toEqual([406, "application/yaml"]);
    expect(text).toContain('error: "Content-Type [YAML] does not support stream parsing.');
  });

  test("one that nobody reads does not matter", async () => {
    const { status } = await send(cluster, "GET /_snapshot", { body: '{"a":1}' });

    expect(status).toBe(200);
  });

  test("a broken body is told before an unknown parameter", async () => {
    const { json } = await send(cluster, "PUT /x?nosuch=1", { body: "{" });

    expect(json).toMatchObject({
      error: { type: "parse_exception", reason: "Failed to parse content to map" },
    });
  });

  test("source takes the body's place, with its content type", async () => {
    const missing = await send(cluster, "GET /d/_mget?source={}");
    const given = await send(
      cluster,
      "GET /d/_mget?source=%7B%22ids%22:[]%7D&source_content_type=application/json",
    );

    expect([missing.status, reasonOf(missing.json)]).toEqual([
      500,
      "source and source_content_type parameters are required",
    ]);
    expect(reasonOf(given.json)).toBe("Validation Failed: 1: no documents to get;");
  });
});

describe("answers", () => {
  test("carry the version, echo X-Opaque-Id, and HEAD has the length of GET without its body", async () => {
    const { cluster } = fakeCluster();

    const got = await send(cluster, "GET /", { headers: { "x-opaque-id": "me" } });
    const head = await send(cluster, "HEAD /");

    expect(got.headers).toMatchObject({
      "X-OpenSearch-Version": "OpenSearch/3.8.0 (opensearch)",
      "X-Opaque-Id": "me",
      "content-type": "application/json; charset=UTF-8",
    });
    expect([head.status, head.body]).toEqual([got.status, []]);
    expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
  });

  test("are YAML by parameter or Accept header; a format nobody knows is JSON", async () => {
    const { cluster } = fakeCluster();

    const byParameter = await send(
      cluster,
      "GET /_cluster/health?local=true&filter_path=timed_out&format=yaml",
    );
    const byHeader = await send(cluster, "GET /_cluster/health?local=true&filter_path=timed_out", {
      headers: { accept: "application/yaml" },
    });
    const unknown = await send(
      cluster,
      "GET /_cluster/health?local=true&filter_path=timed_out&format=foo",
    );

    expect([byParameter.text, byHeader.text, unknown.text]).toEqual([
      "---\ntimed_out: false\n",
      "---\ntimed_out: false\n",
      '{"timed_out":false}',
    ]);
  });

  test("filter_path leaves errors alone", async () => {
    const problem = { type: "index_not_found_exception", reason: "no such index [x]", status: 404 };
    const { cluster } = fakeCluster({ get: new OperationError(problem) });

    const { status, json } = await send(cluster, "GET /x/_doc/1?filter_path=status");

    expect(status).toBe(404);
    expect(json).toHaveProperty("error.reason", "no such index [x]");
  });

  test("what nobody foresaw is a 500 without its words, and is logged with its place", async () => {
    const { cluster, log } = fakeCluster({ get: new TypeError("oh") });

    const { status, json } = await send(cluster, "GET /x/_doc/1");

    expect([status, reasonOf(json)]).toEqual([
      500,
      "unexpected failure, the log of the node tells more",
    ]);
    expect(log[0]).toContain("GET /x/_doc/1: TypeError: oh\n    at ");
  });
});

describe("documents", () => {
  const done = {
    kind: "done",
    operation: "index",
    index: "x",
    id: "1",
    version: 1,
    seqNo: 0,
    primaryTerm: 1,
    result: "created",
    status: 201,
    shards: { total: 2, successful: 1, failed: 0, failures: [] },
    forcedRefresh: false,
    get: undefined,
  };

  test("a get inlines the stored bytes", async () => {
    const source = new TextEncoder().encode('{ "n" : 1.0 }');
    const { cluster } = fakeCluster({
      get: { index: "x", id: "1", found: true, version: 2, seqNo: 1, primaryTerm: 1, source },
    });

    const { text } = await send(cluster, "GET /x/_doc/1");

    expect(text).toBe(
      '{"_index":"x","_id":"1","_version":2,"_seq_no":1,"_primary_term":1,"found":true,"_source":{ "n" : 1.0 }}',
    );
  });

  test("a created document has its address, encoded as a form", async () => {
    const { cluster } = fakeCluster({ write: { ...done, id: "a/b c?ü" } });

    const { status, headers } = await send(cluster, "PUT /x/_doc/a%2Fb%20c%3F%C3%BC?routing=r", {
      body: "{}",
    });

    expect([status, headers["Location"]]).toEqual([201, "/x/_doc/a%2Fb+c%3F%C3%BC?routing=r"]);
  });

  test("bulk keeps documents as slices and answers items in order, refused ones among them", async () => {
    const { cluster, asked } = fakeCluster({
      bulk: { tookMs: 3, items: [done, { ...done, id: "2" }] },
    });
    const lines = [
      '{"index":{"_index":"x","_id":"1"}}',
      '{ "a" : 1 }\r',
      "",
      '{"index":{"_index":"x","_id":""}}',
      "{}",
      '{"delete":{"_index":"x","_id":"2"}}',
    ];

    const { json } = await send(cluster, "POST /_bulk", { body: `${lines.join("\n")}\n` });

    const items =
      (asked[0]?.argument as { items: { source: Uint8Array; operation: string }[] } | undefined)
        ?.items ?? [];
    expect(
      items.map(({ operation, source }) => [operation, new TextDecoder().decode(source)]),
    ).toEqual([
      ["index", '{ "a" : 1 }'],
      ["delete", ""],
    ]);
    expect(json).toMatchObject({
      took: 3,
      errors: true,
      items: [
        { index: { _id: "1", status: 201 } },
        {
          index: {
            _id: "",
            status: 400,
            error: { reason: "if _id is specified it must not be empty" },
          },
        },
        { index: { _id: "2" } },
      ],
    });
  });

  test.each([
    ['{"index":{}}\n{}', "The bulk request must be terminated by a newline [\\n]"],
    [
      '"index"\n{}\n',
      "Malformed action/metadata line [1], expected START_OBJECT but found [VALUE_STRING]",
    ],
    ["{}\n{}\n", "Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]"],
    [
      '{"index":[]}\n{}\n',
      "Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [START_ARRAY]",
    ],
    [
      '{"index":{}}\n{}\n{"foo":{}}\n{}\n',
      "Malformed action/metadata line [3], expected one of [create, delete, index, update] but found [foo]",
    ],
    ['{"index":{"_foo":1}}\n{}\n', "Action/metadata line [1] contains an unknown parameter [_foo]"],
    [
      '{"index":{"_id":["a"]}}\n{}\n',
      "Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_ARRAY]",
    ],
    ['{"update":{}}\n{"doc":{}}\n', "Validation Failed: 1: id is missing;"],
    [
      '{"update":{"_id":"1"}}\n{"dac":{}}\n',
      "[1:2] [UpdateRequest] unknown field [dac] did you mean [doc]?",
    ],
    [
      '{"index":{"_id":"1","if_seq_no":1}}\n{}\n',
      "Validation Failed: 1: ifSeqNo is set, but primary term is [0];",
    ],
    ['{"index":{"_id":"only an action"}}\n', "Validation Failed: 1: no requests added;"],
  ])("a bulk of %j is refused as a whole", async (body, reason) => {
    const { cluster, asked } = fakeCluster();

    const { status, json } = await send(cluster, "POST /x/_bulk", { body });

    expect([status, reasonOf(json), asked]).toEqual([400, reason, []]);
  });

  test("an id over 512 bytes is refused, counted in bytes", async () => {
    const { cluster } = fakeCluster();
    const id = "ü".repeat(257);

    const { json } = await send(cluster, `PUT /x/_doc/${encodeURIComponent(id)}`, { body: "{}" });

    expect(reasonOf(json)).toBe(
      `Validation Failed: 1: id [${id}] is too long, must be no longer than 512 bytes but was: 514;`,
    );
  });
});

describe("searches", () => {
  test("rest_total_hits_as_int turns the total into a number and asks for an exact one", async () => {
    const { cluster, asked } = fakeCluster({ search: found });

    const { json } = await send(cluster, "GET /_search?rest_total_hits_as_int=true");

    expect(json).toMatchObject({ hits: { total: 7, max_score: 1, hits: [] } });
    expect(asked[0]?.argument).toMatchObject({ body: { track_total_hits: true } });
  });

  test("a multi-search answers each line with its own status or error", async () => {
    const { cluster } = fakeCluster({ search: found });

    const { json } = await send(cluster, "POST /_msearch", {
      body: '{}\n{"size":0}\n{"index":"x"}\n{}\n',
    });

    expect(json).toMatchObject({
      responses: [
        { took: 1, status: 200 },
        { took: 1, status: 200 },
      ],
    });
  });
});

describe("a client that goes away", () => {
  interface Cancellable {
    readonly onCancel?: (cancel: () => void) => void;
  }

  /** How many of what was asked are cancelled, when the client goes before or after they are. */
  async function cancelled(uri: string, body: string, method: string, isGone: boolean) {
    let leave = (): void => undefined;
    const { cluster, asked } = fakeCluster({ [method]: found });
    await dispatch(
      {
        method: "POST",
        uri,
        headers: { "content-type": "application/json" },
        body: utf8Encode(body),
        onClose: (callback) => {
          leave = callback;
          if (isGone) callback();
        },
      },
      cluster,
    );
    let count = 0;
    const wanted = asked.filter((one) => one.method === method);
    for (const { argument } of wanted)
      (argument as Cancellable).onCancel?.(() => {
        count += 1;
      });
    leave();
    return [wanted.length, count];
  }

  test.each([
    ["/_search", "{}", "search", 1, 1],
    ["/_count", "{}", "count", 1, 1],
    // None of several is begun for a client that is gone.
    ["/_msearch?max_concurrent_searches=3", "{}\n{}\n{}\n{}\n{}\n{}\n", "search", 3, 0],
    ["/_search/scroll", '{"scroll_id":"x"}', "scroll", 1, 1],
  ])("cancels all that its request is at: %s", async (uri, body, method, under, afterwards) => {
    expect(await cancelled(uri, body, method, false)).toEqual([under, under]);
    expect(await cancelled(uri, body, method, true)).toEqual([afterwards, afterwards]);
  });
});
