/** The files of scenarios and the plans in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** Of the library and the soaks, as paths below the root. */
export function scenarioFiles(folders = ["scenarios", "test/soak"]) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".yaml"))
      .toSorted()
      .map((file) => `${folder}/${file}`),
  );
}

/** Each with its file, read by a bundle: two folders may have plans of one name. */
export function readPlans({ parseScenario, lab }, files) {
  return files.map((file) => ({
    file,
    plan: parseScenario(file, readFileSync(join(root, file), "utf8"), lab),
  }));
}
