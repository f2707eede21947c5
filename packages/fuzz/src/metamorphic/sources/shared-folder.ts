/** Folders of test data beside the project. */
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");

/** Path of the folder, which need not exist. */
export function sharedFolder(name: string): string {
  return join(root, "../shared", name);
}
