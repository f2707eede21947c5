/** Version and build of the product, as responses report them. */
import { utf8Encode } from "@orrery/stdx";

export const version = "3.8.0";
export const buildHash = "e5a3c5691be87af6c12dbe3e158c59c04ee72973";
export const buildDate = "2026-08-01T18:48:00.452816924Z";
export const buildType = "unknown";
export const luceneVersion = "10.5.0";

/**
 * Value of a `Warning` header (RFC 7234) for a deprecation. Bytes that no header may hold, and the percent sign, are
 * percent-encoded. Source: `HeaderWarning.escapeAndEncode`.
 */
export function warningHeader(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, "\\$&");
  return `299 OpenSearch-${version}-${buildHash} "${escaped.replaceAll(NOT_IN_HEADER, percent)}"`;
}

const NOT_IN_HEADER = /[^\t -$&-~\u{80}-\u{ff}]+/gu;

function percent(part: string): string {
  return Array.from(
    utf8Encode(part),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}

/**
 * Whether the runtime came with the product. Packages of the product bring the JDK that they run on, and clients of typed answers
 * reject the `null` of one that does not.
 */
export function bundledRuntime(isStrict: boolean): {
  readonly bundled_jdk: boolean;
  readonly using_bundled_jdk: boolean | null;
} {
  return isStrict
    ? { bundled_jdk: false, using_bundled_jdk: null }
    : { bundled_jdk: true, using_bundled_jdk: true };
}

/** The deviation of answers with `bundledRuntime`. */
export const bundledRuntimeDeviation = {
  kind: "behaviour",
  name: "using_bundled_jdk",
  reason:
    "true as in packages of the product, since typed clients reject the null of an embedded product",
  isLeniency: true,
} as const;
