/** The body of a reroute, and what is said of one that is wrong; reasons as the product gives them. */
import { OperationError, utf8Encode, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { contentOf } from "../src/content.ts";
import { rerouteBody, type RerouteBody } from "../src/operations/cluster.reroute/commands.ts";

const read = (text: string): RerouteBody => rerouteBody(contentOf(utf8Encode(text), "json"));

function refusal(text: string): Problem {
  try {
    read(text);
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  throw new Error("it was taken");
}

const command = (name: string, fields: string): string => `{"commands":[{"${name}":${fields}}]}`;

describe("a body", () => {
  test("has no more commands than a cluster manager may carry out at once", () => {
    const commands = (count: number): string =>
      JSON.stringify({
        commands: Array.from({ length: count }, () => ({
          move: { index: "a", shard: 0, from_node: "x", to_node: "y" },
        })),
      });

    expect(read(commands(1000)).commands).toHaveLength(1000);
    expect(refusal(commands(1001)).reason).toContain("at most [1000] commands");
  });

  test("names its commands, with numbers and flags read from their texts", () => {
    const fields = '{"index":"a","shard":"1.5","node":"n","allow_primary":"true"}';

    expect(read(`{"commands":[{"cancel":${fields}}],"dry_run":"false"}`)).toEqual({
      commands: [{ cancel: { index: "a", shard: 1, node: "n", allow_primary: true } }],
      dryRun: false,
    });
  });

  test.each([
    ["[]", "[1:1] [cluster_reroute] Expected START_OBJECT but was: START_ARRAY"],
    ['{"command":[]}', "[1:2] [cluster_reroute] unknown field [command] did you mean [commands]?"],
    [
      '{"dry_run":1}',
      "[1:12] [cluster_reroute] dry_run doesn't support values of type: VALUE_NUMBER",
    ],
    ['{"dry_run":"x"}', "[1:12] [cluster_reroute] failed to parse field [dry_run]"],
    [
      '{"commands":5}',
      "[1:13] [cluster_reroute] commands doesn't support values of type: VALUE_NUMBER",
    ],
  ])("%s is refused", (text, reason) => {
    expect(refusal(text)).toMatchObject({
      type: "x_content_parse_exception",
      reason,
      status: 400,
    });
  });
});

describe("commands", () => {
  test.each([
    [
      "{}",
      "13",
      "expected either field name [commands], or start array, got [START_OBJECT] instead",
    ],
    ["[null]", "14", "allocation command is malformed, got [VALUE_NULL] instead"],
    ["[{}]", "16", "[1:16] unknown field [null]"],
    ['[{"foo":{}}]', "21", "[1:21] unknown field [foo]"],
  ])("%s are refused where they go wrong", (commands, column, reason) => {
    const problem = refusal(`{"commands":${commands}}`);

    expect(problem.reason).toBe(`[1:${column}] [cluster_reroute] failed to parse field [commands]`);
    expect(problem.causedBy?.reason).toBe(reason);
  });

  test("have one name each", () => {
    const fields = '{"index":"a","shard":0,"from_node":"a","to_node":"b"}';

    expect(refusal(`{"commands":[{"move":${fields},"x":1}]}`)).toMatchObject({
      reason: "[1:76] [cluster_reroute] failed to parse field [commands]",
      causedBy: { reason: expect.stringContaining("done parsing a command") as string },
    });
  });
});

describe("move and cancel", () => {
  test.each([
    ["move", "null", 26, "[move] command missing the index parameter"],
    ["move", "[]", 23, "[move] command does not support complex json tokens [END_ARRAY]"],
    ["move", "[1]", 23, "[move] command does not support field [null]"],
    [
      "move",
      '{"index":["a"]}',
      31,
      "[move] command does not support complex json tokens [START_ARRAY]",
    ],
    [
      "move",
      '{"index":null}',
      31,
      "[move] command does not support complex json tokens [VALUE_NULL]",
    ],
    ["move", '{"index":"a","x":"a"}', 39, "[move] command does not support field [x]"],
    ["move", '{"index":"a","shard":-1}', 45, "[move] command missing the shard parameter"],
    ["move", '{"index":"a","shard":"x"}', 43, 'For input string: "x"'],
    ["cancel", '{"shard":""}', 33, "empty String"],
    [
      "cancel",
      '{"allow_primary":"x"}',
      41,
      "Failed to parse value [x] as only [true] or [false] are allowed.",
    ],
  ])("%s with %s is refused", (name, fields, column, reason) => {
    const problem = refusal(command(name, fields));

    expect(problem.causedBy?.reason).toBe(reason);
    expect(problem.reason).toBe(`[1:${column}] [cluster_reroute] failed to parse field [commands]`);
  });

  test("tell of a value of another kind where it ends, in bytes", () => {
    const { causedBy, reason } = refusal(command("move", '{"index":"ü","shard":false}'));

    expect(reason).toBe("[1:44] [cluster_reroute] failed to parse field [commands]");
    expect(causedBy).toMatchObject({
      type: "input_coercion_exception",
      reason:
        "Current token (VALUE_FALSE) not numeric, cannot use numeric value accessors\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); byte offset: #48]",
    });
  });
});

describe("commands that allocate", () => {
  test.each([
    ["{}", "Argument [index] must be defined"],
    ['{"index":"a","node":"x"}', "Argument [shard] must be defined and non-negative"],
    ['{"index":"a","shard":-1,"node":"x"}', "Argument [shard] must be defined and non-negative"],
    ['{"index":"a","shard":0}', "Argument [node] must be defined"],
    ["null", "[1:38] [allocate_replica] Expected START_OBJECT but was: END_OBJECT"],
    ["[]", "[1:35] [allocate_replica] Expected START_OBJECT but was: END_ARRAY"],
    ['{"index":5}', "[1:43] [allocate_replica] index doesn't support values of type: VALUE_NUMBER"],
    ['{"shard":"x"}', "[1:43] [allocate_replica] failed to parse field [shard]"],
    ['{"shards":0}', "[1:35] [allocate_replica] unknown field [shards] did you mean [shard]?"],
  ])("are refused with %s", (fields, reason) => {
    expect(refusal(command("allocate_replica", fields)).causedBy?.reason).toBe(reason);
  });
});
