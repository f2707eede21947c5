/**
 * The secrets that nodes prove to each other: of a cluster in its data folder, of this user's clusters in the user's own.
 *
 * Clusters of one user on one machine may be each other's remote clusters without being told anything; where they are not of one
 * user, `ORRERY_REMOTE_SECRET` says the same to both. The files are readable by their owner alone, and nothing ever prints them.
 */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { TrustSecrets } from "@orrery/host-node";
import { lookup } from "@orrery/stdx";
import { UsageError } from "./usage.ts";

export const secretFile = "cluster.secret";

/** Shorter ones can be found by trying. */
const LENGTH_LEAST = 16;

/** Of the cluster whose data folder this is, or of one that keeps nothing. Throws `UsageError` when a secret is none. */
export function secretsIn(dataPath: string | undefined): TrustSecrets {
  const given = givenSecret("ORRERY_CLUSTER_SECRET");
  const secret =
    given ?? (dataPath === undefined ? newSecret() : secretAt(join(dataPath, secretFile)));
  return { secret, clientSecret: givenSecret("ORRERY_REMOTE_SECRET") ?? secretOfUser() };
}

function givenSecret(name: string): string | undefined {
  const given = lookup(process.env, name)?.trim();
  if (given === undefined || given === "") return undefined;
  if (given.length < LENGTH_LEAST)
    throw new UsageError(`[${name}] is too short: at least [${LENGTH_LEAST}] characters`);
  return given;
}

/** What is there, or a new one that is: of several who come at once, one makes it. */
function secretAt(file: string): string {
  const known = read(file);
  if (known !== undefined) return known;
  const draft = `${file}.${process.pid}`;
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

/** Without a place of the user's own there is none, and then only clusters with one secret are each other's. */
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
