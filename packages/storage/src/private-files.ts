/** What a node keeps is its user's alone: folders of mode 700, files of mode 600, whatever the umask says. */
import { chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** A folder that is there and open to others is closed to them; one of another user stays as it is. Throws what the system says. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  const { mode, uid } = statSync(path);
  const isOwn = process.getuid?.() === uid;
  if (isOwn && (mode & 0o077) !== 0) chmodSync(path, PRIVATE_FOLDER);
}

/** Makes an empty file when there is none, for those who open it by its name: SQLite gives the files beside it the same mode. */
export function makePrivateFile(path: string): void {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  closeSync(openSync(path, flags, PRIVATE_FILE));
}
