/** The plans of the library and of the soaks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** Each with the file it is in: two folders may have a file of one name. */
export function readPlans(parseScenario, folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".yaml"))
      .toSorted()
      .map((file) => ({
        file: `${folder}/${file}`,
        plan: parseScenario(file, readFileSync(join(root, folder, file), "utf8")),
      })),
  );
}
