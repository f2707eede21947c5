/**
 * Bearer token of a control endpoint, and the file in which `orrery fault` of the same user finds it.
 *
 * The file is in a folder that only its owner can enter: `$XDG_RUNTIME_DIR/orrery`, or `orrery-UID` in the system's
 * temporary folder. A folder or file that belongs to another user, that others can open, or that is a symbolic link is
 * rejected, never repaired: in a shared temporary folder another user may have planted it.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./usage.ts";

/** Contents of the token file. */
interface TokenRecord {
  readonly token: string;
  /** Process id of the `orrery up` that serves the endpoint. */
  readonly pid: number;
}

export interface TokenFile {
  readonly path: string;
  /** Removes the file, unless another endpoint has replaced it. */
  remove(): void;
}

/** Form of a bearer token (RFC 6750). */
const WELL_FORMED = /^[A-Za-z0-9\-._~+/]{16,512}=*$/;

/**
 * Token from `ORRERY_CONTROL_TOKEN`, or a new one of 256 random bits. Throws `UsageError` if the given one is
 * malformed.
 */
export function chooseToken(): string {
  const given = process.env["ORRERY_CONTROL_TOKEN"] ?? "";
  if (given === "") return randomBytes(32).toString("base64url");
  if (WELL_FORMED.test(given)) return given;
  throw new UsageError(
    "[ORRERY_CONTROL_TOKEN] must have 16 to 512 characters: letters, digits and [-._~+/]",
  );
}

/** Comparison in constant time. */
export function isSameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/**
 * Writes the token file. Called when the port is bound: an existing file for this port then belongs to an endpoint that
 * has ended. Throws `UsageError`.
 */
export function keepToken(port: number, token: string): TokenFile {
  const folder = tokenFolder();
  makeFolder(folder);
  removeStale(folder);
  const path = join(folder, fileName(port));
  const record: TokenRecord = { token, pid: process.pid };
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(record)}\n`, { flag: "wx", mode: 0o600 });
  return {
    path,
    remove: () => {
      if (readRecord(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

/**
 * Token of the endpoint that this user runs on the port; `undefined` if there is none. Throws `UsageError` for an
 * unsafe file.
 */
export function findToken(port: number): string | undefined {
  const folder = tokenFolder();
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  checkFolder(folder, found);
  const record = readRecord(join(folder, fileName(port)));
  // If the endpoint has ended, another process may use its port, and must not receive the token.
  return record === undefined || !isAlive(record.pid) ? undefined : record.token;
}

function fileName(port: number): string {
  return `control-${port}.json`;
}

function tokenFolder(): string {
  const runtime = process.env["XDG_RUNTIME_DIR"] ?? "";
  const isThere = runtime !== "" && statSync(runtime, { throwIfNoEntry: false })?.isDirectory();
  if (isThere === true) return join(runtime, "orrery");
  return join(tmpdir(), `orrery-${process.getuid?.() ?? "user"}`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  checkFolder(folder, lstatSync(folder));
}

function checkFolder(folder: string, found: Stats): void {
  if (!found.isDirectory() || !isPrivate(found))
    throw new UsageError(
      `[${folder}] must be a folder that only you can open, because the control token lies in it: remove it, or set its mode to 700`,
    );
}

function isPrivate({ uid, mode }: Stats): boolean {
  // Windows has neither user ids nor modes.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o077) === 0;
}

/** Reads the record; throws `UsageError` if others could have read or written the file. */
function readRecord(path: string): TokenRecord | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile() || !isPrivate(found))
      throw new UsageError(`[${path}] must be a file that only you can open: remove it`);
    return parseRecord(readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP")
      throw new UsageError(`[${path}] is a symbolic link, not the file of a token: remove it`);
    throw error;
  }
}

/** Parsed record; `undefined` if it is truncated or of another form. */
function parseRecord(text: string): TokenRecord | undefined {
  try {
    const { token, pid } = JSON.parse(text) as Partial<TokenRecord>;
    return typeof token === "string" && Number.isSafeInteger(pid) && Number(pid) > 0
      ? { token, pid: Number(pid) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the files of endpoints that were killed. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^control-\d+\.json$/.test(name)) continue;
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const record = found.isFile() ? readRecord(path) : undefined;
    if (record === undefined || !isAlive(record.pid)) rmSync(path, { recursive: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
