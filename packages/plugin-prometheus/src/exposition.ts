/** The text format of Prometheus, version 0.0.4. */
import type { Family, Labels, Sample } from "./family.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** Prints families in their order, each with its help and its type before its samples. */
export function exposition(families: readonly Family[], prefix: string): string {
  return families.map((family) => printed(family, `${prefix}${family.name}`)).join("");
}

function printed({ help, type, samples }: Family, name: string): string {
  const head = `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n`;
  return head + samples.map((sample) => line(name, sample)).join("");
}

/** A sample of a summary names its part in the label `part`, which becomes the suffix of the name. */
function line(name: string, { labels, value }: Sample): string {
  const { [PART]: part, ...others } = labels;
  const suffix = part === undefined ? "" : `_${part}`;
  return `${name}${suffix}${braced(others)} ${value}\n`;
}

/** Label of the samples of a summary: `count` or `sum`. */
export const PART = "part";

function braced(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escaped(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"');
}
