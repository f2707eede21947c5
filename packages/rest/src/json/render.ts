/** Conversion of a response body to bytes: format, `filter_path`, indentation. The only place that does so. */
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { filtered, parseFilterPath } from "./filter-path.ts";
import { isRaw, rawContent, type Printable } from "./printable.ts";
import { feed } from "./sink.ts";
import { compactSink, prettySink, writeCompact } from "./write-json.ts";
import { yamlSink } from "./write-yaml.ts";

/** Format, indentation and filter of one response body. */
export interface RenderOptions {
  readonly format: "json" | "yaml";
  readonly isPretty: boolean;
  /** Value of `filter_path`; `undefined`: no filter. */
  readonly filterPath: string | undefined;
}

/** The body in UTF-8 as a list of pieces. Only unfiltered compact JSON copies raw parts; every other format scans them. */
export function render(value: Printable, options: RenderOptions): Uint8Array[] {
  const filter = options.filterPath === undefined ? undefined : parseFilterPath(options.filterPath);
  const isFiltered = filter !== undefined && filter.includes.length + filter.excludes.length > 0;
  if (!isFiltered && !options.isPretty && options.format === "json") return writeCompact(value);
  const sink =
    options.format === "yaml" ? yamlSink() : options.isPretty ? prettySink() : compactSink();
  feed(value, isFiltered ? filtered(sink, filter) : sink);
  const text = sink.text();
  if (options.format === "yaml") return [utf8Encode(text === "---\n" ? "--- {}\n" : text)];
  if (text === "") return everythingFiltered(value, options.isPretty);
  return [utf8Encode(options.isPretty ? `${text}\n` : text)];
}

/** Output when the filter removes everything: `{}` for an object, no bytes for a list, as in the product. */
function everythingFiltered(value: Printable, isPretty: boolean): Uint8Array[] {
  if (isList(value)) return isPretty ? [utf8Encode("\n")] : [];
  return [utf8Encode(isPretty ? "{ }\n" : "{}")];
}

function isList(value: Printable): boolean {
  if (!isRaw(value)) return Array.isArray(value);
  const content = rawContent(value);
  return (typeof content === "string" ? content : utf8Decode(content)).trimStart().startsWith("[");
}
