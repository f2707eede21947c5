/** `orrery report`: renders a bundle as one HTML file. */
import { renderReport } from "@orrery/bundle";
import { faultHelp } from "@orrery/scenario";
import { withBundle } from "./bundle-file.ts";
import { lab } from "./lab.ts";
import { readOptions } from "./options.ts";
import { replayLine } from "./replay-line.ts";
import { checkOther, writeAtomically } from "./atomic-file.ts";

export async function report(args: readonly string[]): Promise<number> {
  const options = readOptions(args, { output: { type: "string", short: "o" } });
  const output = options.text("output") ?? "report.html";
  const says = new Map<string, string>(faultHelp().map((fault) => [fault.kind, fault.says]));
  const html = await withBundle(options, "orrery report BUNDLE [-o report.html]", (bundle) => {
    checkOther(output, bundle.path);
    return renderReport(bundle, {
      replay: replayLine(bundle.run),
      faultSays: (kind) => says.get(kind) ?? "",
      checkerSays: (name) => lab.checkers.get(name)?.says ?? "",
    });
  });
  writeAtomically(output, html);
  process.stdout.write(`${output}\n`);
  return 0;
}
