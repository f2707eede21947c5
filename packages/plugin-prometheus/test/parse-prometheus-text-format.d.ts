/** The parser of the text format has no types of its own. */
declare module "parse-prometheus-text-format" {
  export interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly ParsedSample[];
  }
  export interface ParsedSample {
    /** Absent in summaries. */
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly count?: string;
    readonly sum?: string;
  }
  export default function parse(text: string): readonly ParsedFamily[];
}
