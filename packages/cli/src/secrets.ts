/**
 * Secrets that nodes prove to each other: that of a cluster in its data folder, and that of the user for remote
 * clusters.
 *
 * Clusters of one user on one machine may connect as remote clusters without configuration; for different users
 * `ORRERY_REMOTE_SECRET` sets the same secret on both sides. The files are readable by their owner only, and secrets
 * are never printed.
 */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { TrustSecrets } from "@orrery/host-node";
import { lookup } from "@orrery/stdx";
import { UsageError } from "./usage.ts";

export const secretFile = "cluster.secret";

/** Suffix of a variable that names the file of a secret, instead of the secret. */
const FILE_SUFFIX = "_FILE";

/** Minimum length; shorter secrets could be guessed. */
const LENGTH_LEAST = 16;

/**
 * Secrets of the cluster with this data folder, or of one without a folder. Throws `UsageError` for an invalid secret.
 */
export function secretsIn(dataPath: string | undefined): TrustSecrets {
  const given = givenSecret("ORRERY_CLUSTER_SECRET");
  const secret =
    given ?? (dataPath === undefined ? newSecret() : secretAt(join(dataPath, secretFile)));
  return { secret, clientSecret: givenSecret("ORRERY_REMOTE_SECRET") ?? secretOfUser() };
}

/** True if the user has given the cluster's secret, by a variable or in the data folder. */
export function hasGivenSecret(dataPath: string): boolean {
  const given = givenSecret("ORRERY_CLUSTER_SECRET") ?? read(join(dataPath, secretFile));
  return given !== undefined;
}

/** Secret in a variable, or in the file that another variable names, which is written if it is missing. */
function givenSecret(name: string): string | undefined {
  const given = lookup(process.env, name)?.trim();
  const file = lookup(process.env, `${name}${FILE_SUFFIX}`)?.trim();
  const isFileGiven = file !== undefined && file !== "";
  if (given === undefined || given === "") return isFileGiven ? secretAt(file) : undefined;
  if (isFileGiven)
    throw new UsageError(`[${name}] and [${name}${FILE_SUFFIX}] are both set: one is enough`);
  if (given.length < LENGTH_LEAST)
    throw new UsageError(`[${name}] is too short: at least [${LENGTH_LEAST}] characters`);
  return given;
}

/** Secret in the file, created if it is missing; of several processes one creates it. */
function secretAt(file: string): string {
  const known = read(file);
  if (known !== undefined) return known;
  // Processes in containers that share the folder may have the same number.
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(draft, `${newSecret()}\n`, { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if (!isCode(error, "EEXIST"))
      throw new UsageError(`the secret [${file}] cannot be written: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
  const made = read(file);
  if (made === undefined) throw new UsageError(`the secret [${file}] cannot be read`);
  return made;
}

function read(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw new UsageError(`the secret [${file}] cannot be read: ${(error as Error).message}`);
  }
  if (text.length < LENGTH_LEAST)
    throw new UsageError(
      `the secret [${file}] is too short: at least [${LENGTH_LEAST}] characters`,
    );
  return text;
}

/** Secret of the user; `undefined` without a home folder, so that only clusters with a common secret connect. */
function secretOfUser(): string | undefined {
  const state = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
  const file = join(state, "orrery", "remote.secret");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return secretAt(file);
  } catch {
    return undefined;
  }
}

function newSecret(): string {
  return randomBytes(32).toString("hex");
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
