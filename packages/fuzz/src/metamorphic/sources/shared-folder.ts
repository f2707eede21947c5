/** Folders of test data beside the project. */
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");

/** It need not be there. */
export function sharedFolder(name: string): string {
  return join(root, "../shared", name);
}
