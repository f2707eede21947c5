/** `snapshot.restore`: restores indices from a snapshot, optionally under other names. */
import {
  illegalArgument,
  isJsonObject,
  javaText,
  newUuid,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, splitNames } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import {
  booleanIn,
  indicesIn,
  indicesOptionsIn,
  optionalObject,
  textIn,
} from "../../snapshots/body.ts";
import { numberOf } from "../../stats/recovery.ts";
import type { Printable } from "../../json/printable.ts";
import { validate } from "../../validation.ts";

export const snapshotRestore: Operation = defineOperation({
  group: "snapshot.restore",
  permission: "cluster:admin/snapshot/restore",
  routes: ["POST /_snapshot/{repository}/{snapshot}/_restore"],
  query: { ...managerTimeout, wait_for_completion: flag(false) },
  body: optionalObject,
  deviations: [
    {
      kind: "behaviour",
      name: "storage_type",
      reason: "only `local` is supported: no index is searched in the repository itself",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const uuid = newUuid(cluster.random);
    const request = requestOf(path, body, uuid);
    passBlocks(cluster.state(), "metadata_write", []);
    const begun = await ask(cluster, "restoreSnapshot", request, query);
    const { snapshot, indices: begunWith } = begun.body;
    const isEmpty = Array.isArray(begunWith) && begunWith.length === 0;
    // A restore without any index has completed already, so it answers like a completed one.
    if (!query.wait_for_completion && !isEmpty) return { body: { accepted: true } };
    const done = await ask(cluster, "awaitRestore", { uuid }, query);
    if (done.body["snapshot"] === undefined && !isEmpty) return { body: { accepted: true } };
    const indices = begunWith ?? done.body["indices"];
    const total = numberOf(done.body["total"]);
    const failed = numberOf(done.body["failed"]);
    const shards = { total, failed, successful: total - failed };
    return {
      body: {
        snapshot: { snapshot: snapshot as Printable, indices: indices as Printable, shards },
      },
    };
  },
});

const known: ReadonlySet<string> = new Set([
  ...["indices", "ignore_unavailable", "allow_no_indices", "expand_wildcards", "partial"],
  ...["include_global_state", "include_aliases", "rename_pattern", "rename_replacement"],
  ...["rename_alias_pattern", "rename_alias_replacement", "index_settings"],
  ...["ignore_index_settings", "storage_type", "source_remote_store_repository"],
  ...["source_remote_translog_repository", "settings", "ignore_throttled"],
  ...["ignoreUnavailable", "allowNoIndices", "expandWildcards", "ignoreThrottled"],
]);

const LONGEST_NAME = 255;

function requestOf(
  path: Readonly<Record<string, string | undefined>>,
  body: JsonObject,
  uuid: string,
): JsonObject {
  const unknown = Object.keys(body).find((key) => !known.has(key));
  if (unknown !== undefined) throw illegalArgument(`Unknown parameter ${unknown}`);
  checkStorage(textIn(body, "storage_type"));
  textIn(body, "source_remote_store_repository");
  textIn(body, "source_remote_translog_repository");
  if (body["settings"] !== undefined && !isJsonObject(body["settings"])) {
    throw illegalArgument("malformed settings section");
  }
  const { ignore_unavailable: ignoreUnavailable, allow_no_indices: allowNoIndices } =
    indicesOptionsIn(body);
  const renameReplacement = textIn(body, "rename_replacement");
  const renameAliasReplacement = textIn(body, "rename_alias_replacement");
  validate([
    ...(["rename_replacement", "rename_alias_replacement"] as const).map(
      (key) =>
        utf8Encode(textIn(body, key) ?? "").length > LONGEST_NAME &&
        `${key} string size exceeds max allowed size of ${LONGEST_NAME} bytes`,
    ),
  ]);
  return {
    repository: path["repository"],
    snapshot: path["snapshot"],
    uuid,
    indices: indicesIn(body),
    ignoreUnavailable: ignoreUnavailable === true,
    allowNoIndices: allowNoIndices !== false,
    renamePattern: textIn(body, "rename_pattern"),
    renameReplacement,
    renameAliasPattern: textIn(body, "rename_alias_pattern"),
    renameAliasReplacement,
    includeGlobalState: booleanIn(body, "include_global_state", false),
    includeAliases: booleanIn(body, "include_aliases", true),
    partial: booleanIn(body, "partial", false),
    indexSettings: settingsIn(body),
    ignoreIndexSettings: ignoredIn(body),
  };
}

function checkStorage(given: string | undefined): void {
  if (given === undefined || given === "local") return;
  if (given !== "remote_snapshot") throw illegalArgument(`Invalid storage_type: ${given}`);
  throw illegalArgument("storage_type [remote_snapshot] is not supported on this cluster");
}

function settingsIn(body: JsonObject): JsonObject {
  const given = body["index_settings"];
  if (given === undefined) return {};
  if (!isJsonObject(given)) throw illegalArgument("malformed index_settings section");
  return given;
}

function ignoredIn(body: JsonObject): readonly string[] {
  const given = body["ignore_index_settings"];
  if (given === undefined) return [];
  if (typeof given === "string") return splitNames(given);
  if (Array.isArray(given)) return (given as readonly Json[]).map(javaText);
  throw illegalArgument("malformed ignore_index_settings section, should be an array of strings");
}
