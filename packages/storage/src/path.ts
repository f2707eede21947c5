/** Paths of the Disk port: relative, `/`-separated, never outside the data folder. */
import { assert } from "@orrery/stdx";

export function checkPath(path: string): string {
  const leaves = path.startsWith("/") || path.split("/").includes("..");
  assert(!leaves, `[${path}] leaves the data folder`);
  return path;
}

/** The folder a path is in; empty for the data folder itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
