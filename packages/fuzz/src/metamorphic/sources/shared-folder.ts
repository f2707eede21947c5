/** Folders of test data beside the project. */
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");

/** Path of a folder of test data with this name beside the project; the folder need not exist. */
export function sharedFolder(name: string): string {
  return join(root, "../shared", name);
}
