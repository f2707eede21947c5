/**
 * Access to folders without following symbolic links out of given places. A folder is opened first, and its real path
 * is asked of the open folder: a link that is put in its place afterwards has no effect.
 *
 * On systems with `/proc`, names inside the folder are then looked up in the open folder; on others below its real
 * path.
 */
import { constants } from "node:fs";
import { mkdir, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { basename, dirname, sep } from "node:path";
import { BlobError } from "@orrery/ports";
import { errorCode } from "./disk-error.ts";

/** Access to folders below given places; a symbolic link that leads out of the places is refused. */
export interface ContainedFolders {
  /**
   * Runs `use` with a path of the folder that is valid while it runs, and not fit for messages. Rejects with the
   * system's errors.
   */
  enter<T>(folder: string, use: (path: string) => Promise<T>): Promise<T>;
  /** As `enter`; a missing folder is created, with those above it. */
  make<T>(folder: string, use: (path: string) => Promise<T>): Promise<T>;
}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/** Access to folders below `places`. A place itself may be a symbolic link, and is created if it is missing. */
export function createContainedFolders(places: readonly string[]): ContainedFolders {
  const enter: ContainedFolders["enter"] = async (folder, use) => {
    const handle = await open(folder, DIRECTORY);
    try {
      const real = await realPath(handle, folder);
      if (!(await isWithin(real, places))) throw outside(folder);
      return await use(isLinux ? `/proc/self/fd/${handle.fd}` : real);
    } finally {
      await handle.close();
    }
  };

  const ensure = async (folder: string): Promise<void> => {
    const place = places.find((each) => isBelow(folder, each));
    if (place === undefined || folder === place) {
      await mkdir(folder, { recursive: true });
      return;
    }
    const makeIn = () => enter(dirname(folder), (path) => mkdir(`${path}/${basename(folder)}`));
    try {
      await unlessCode("ENOENT", makeIn, async () => {
        await ensure(dirname(folder));
        await makeIn();
      });
    } catch (error) {
      // Another node has created it meanwhile.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  };

  return {
    enter,
    make: (folder, use) =>
      unlessCode(
        "ENOENT",
        () => enter(folder, use),
        async () => {
          await ensure(folder);
          return enter(folder, use);
        },
      ),
  };
}

async function unlessCode<T>(
  code: string,
  operation: () => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (errorCode(error) !== code) throw error;
    return otherwise();
  }
}

export function outside(path: string): BlobError {
  return new BlobError(
    "read-only",
    path,
    `[${path}] is a symbolic link, or below one, that leads out of the repository's place`,
  );
}

const isLinux = process.platform === "linux";

function realPath({ fd }: FileHandle, folder: string): Promise<string> {
  return isLinux ? readlink(`/proc/self/fd/${fd}`) : realpath(folder);
}

async function isWithin(real: string, places: readonly string[]): Promise<boolean> {
  for (const place of places) {
    const root = await realpath(place).catch(() => undefined);
    if (root !== undefined && isBelow(real, root)) return true;
  }
  return false;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
