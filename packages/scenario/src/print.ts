/** Printer of a plan's written form as the text of a scenario file. */
import type { JsonObject } from "@orrery/stdx";
import { Document } from "yaml";

/** Prints a plan as the YAML text of a scenario file. `head`: lines of a comment above it. */
export function printScenario(plan: JsonObject, head: readonly string[]): string {
  const document = new Document(plan);
  document.commentBefore = head.map((line) => ` ${line}`).join("\n");
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
