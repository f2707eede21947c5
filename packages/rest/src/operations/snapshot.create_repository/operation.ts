/** `snapshot.create_repository`: registers or changes a repository; with `verify` (the default) every node verifies it. */
import { flattenSettings, type SettingsChange } from "@orrery/cluster-state";
import {
  jsonDigits,
  fail,
  illegalArgument,
  isJsonObject,
  lookup,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { acknowledgedParameters } from "../../indices/acknowledged.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { requiredObject } from "../../snapshots/body.ts";
import { validate } from "../../validation.ts";

export const snapshotCreateRepository: Operation = defineOperation({
  group: "snapshot.create_repository",
  permission: "cluster:admin/repository/put",
  routes: ["PUT /_snapshot/{repository}", "POST /_snapshot/{repository}"],
  query: { ...acknowledgedParameters, verify: flag(true) },
  body: requiredObject,
  deviations: [
    {
      kind: "behaviour",
      name: "compression_type",
      reason:
        "`deflate` and `none` are supported; `zstd` is rejected with the product's error for a compressor that is not installed",
    },
    {
      kind: "behaviour",
      name: "url",
      reason:
        "a URL may not leave repositories.url.allowed_urls by an escaped parent folder (`%2e%2e`, `..%2f`) or by a redirection; the product compares the URL as written, and follows redirections",
    },
    {
      kind: "behaviour",
      name: "location",
      reason:
        "symbolic links below path.repo that lead out of it are rejected; the product follows them",
    },
    {
      kind: "behaviour",
      name: "lost index-N",
      reason:
        "if `index.latest` names a generation `index-N` that is missing, the repository is neither read nor changed; the product reads `index.latest` only if it cannot list the blobs, and otherwise uses the newest `index-N` that it finds, or takes the repository for empty",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const { type } = body;
    const settings = settingsIn(body);
    const crypto = cryptoIn(body);
    const isMissing = type === undefined || type === null;
    validate([
      isMissing && "type is missing",
      ...["key_provider_name", "key_provider_type"].map(
        (key) => crypto !== undefined && lookup(crypto, key) === undefined && `${key} is missing`,
      ),
    ]);
    if (crypto !== undefined) fail(noCrypto(path["repository"] ?? ""));
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const request = {
      name: path["repository"] ?? "",
      type: typeof type === "string" ? type : jsonDigits(type ?? null),
      settings,
      verify: query.verify,
    };
    const { acknowledged } = await ask(cluster, "putRepository", request, query);
    return { body: { acknowledged } };
  },
});

function cryptoIn(body: JsonObject): JsonObject | undefined {
  const given = body["crypto_settings"];
  if (given === undefined || isJsonObject(given)) return given;
  throw illegalArgument("Malformed encryption_settings section, should include an inner object");
}

/** Refuses a repository with client-side encryption, which would otherwise be stored unencrypted. */
function noCrypto(name: string): Problem {
  return {
    type: "repository_verification_exception",
    reason: `[${name}] path  is not accessible on cluster-manager node`,
    status: 500,
    causedBy: {
      type: "illegal_state_exception",
      reason: "Crypto registry is not yet loaded",
      status: 500,
    },
  };
}

function settingsIn(body: JsonObject): SettingsChange {
  const given = body["settings"];
  if (given === undefined) return {};
  if (!isJsonObject(given)) {
    throw illegalArgument("Malformed settings section, should include an inner object");
  }
  return flattenSettings(given);
}
