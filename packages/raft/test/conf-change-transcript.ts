/** The directives of the confchange transcripts: simple, enter-joint and leave-joint on a tracker. */
import {
  changeSimply,
  enterJoint,
  leaveJoint,
  type Changer,
  type ConfigurationResult,
} from "../src/configuration.ts";
import { describeConfiguration, describeProgress } from "../src/describe-progress.ts";
import { confChangesFromText } from "../src/index.ts";
import { createTracker } from "../src/tracker.ts";
import type { ConfChangeSingle } from "../src/types.ts";
import type { Directive } from "./transcript.ts";

export function createConfChange(): (directive: Directive) => string {
  const tracker = createTracker(10, Number.POSITIVE_INFINITY);
  let lastIndex = 0;
  return (directive) => {
    const changes = confChangesFromText(directive.input);
    const changer: Changer = { base: tracker, lastIndex };
    lastIndex += 1;
    if (typeof changes === "string") return changes;
    const result = change(directive, changer, changes);
    if (result === undefined) return "unknown command";
    if (result.kind === "refused") return `${result.reason}\n`;
    tracker.configuration = result.configuration;
    tracker.progress = result.progress;
    const lines = [...tracker.progress].map(([id, each]) => `${id}: ${describeProgress(each)}\n`);
    return `${describeConfiguration(tracker.configuration)}\n${lines.join("")}`;
  };
}

function change(
  { command, arguments: words }: Directive,
  changer: Changer,
  changes: readonly ConfChangeSingle[],
): ConfigurationResult | undefined {
  switch (command) {
    case "simple":
      return changeSimply(changer, changes);
    case "enter-joint": {
      const autoLeave = words.find(({ key }) => key === "autoleave")?.values[0] === "true";
      return enterJoint(changer, autoLeave, changes);
    }
    case "leave-joint":
      if (changes.length > 0) return { kind: "refused", reason: "this command takes no input" };
      return leaveJoint(changer);
    default:
      return undefined;
  }
}
