/** Permissions of a node's files: folders have mode 700 and files 600, whatever the umask. */
import { chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/**
 * Creates a folder, or removes the permissions of group and others from an existing one; a folder that another user owns
 * is left alone. Throws the system's errors.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  const { mode, uid } = statSync(path);
  const isOwn = process.getuid?.() === uid;
  if (isOwn && (mode & 0o077) !== 0) chmodSync(path, PRIVATE_FOLDER);
}

/** Creates an empty file if there is none, before SQLite opens it: SQLite gives the files beside it the same mode. */
export function makePrivateFile(path: string): void {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  closeSync(openSync(path, flags, PRIVATE_FILE));
}
