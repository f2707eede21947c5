/** Paths of the Disk port: relative, `/`-separated, never outside the data folder. */
import { assert } from "@orrery/stdx";

/** Asserts that a path stays inside the data folder. */
export function checkPath(path: string): string {
  const leaves = path.startsWith("/") || path.split("/").includes("..");
  assert(!leaves, `[${path}] leaves the data folder`);
  return path;
}

/** The folder that contains a path; empty for the data folder itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether a path is the folder, or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
