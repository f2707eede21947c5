/**
 * `ip`: IPv4 and IPv6 addresses as terms of 16 bytes, whose order is that of addresses. IPv4
 * addresses are mapped into IPv6, as by Lucene's `InetAddressPoint`. Source: `IpFieldMapper`.
 */
import { illegalArgument, type Json } from "@orrery/stdx";
import type { CompiledType, CompileInput, FieldType } from "../../language/field-type.ts";
import { explicitFlag, flag, meta, text, textOf } from "../parameters.ts";
import { presentText, stringOf } from "./text.ts";

/** The field type `ip`. */
export const ipType: FieldType = {
  sortsAs: "text",
  parameters: {
    index: flag(true),
    doc_values: flag(true),
    store: flag(false),
    ignore_malformed: explicitFlag(false),
    null_value: text(null),
    meta,
  },
  compile: compileIp,
};

function compileIp({ name, parameters, ignoreMalformedDefault }: CompileInput): CompiledType {
  const isIndexed = parameters["index"] === true;
  const hasDocValues = parameters["doc_values"] === true;
  const spec = {
    name,
    type: "keyword",
    index: isIndexed ? "docs" : "none",
    norms: false,
    docValues: hasDocValues,
    points: false,
  } as const;
  return {
    spec,
    values: {
      kind: "terms",
      format: "ip",
      isBinary: true,
      encode: (value: Json) => parseIp(textOf(value)),
      decode: formatIp,
      blockOf: (value) => (value.includes("/") ? parseCidr(value) : undefined),
    },
    index: (value, sink) => {
      const address = parseIp(stringOf(value, sink));
      if (isIndexed || hasDocValues) sink.add(spec, address);
    },
    nullValue: (parameters["null_value"] as string | null) ?? undefined,
    ignoreMalformed: parameters["ignore_malformed"] === true || ignoreMalformedDefault,
    present: (value) => {
      const shown = presentText(value);
      const address = typeof shown === "string" ? tryParseIp(shown) : undefined;
      return address === undefined ? undefined : formatIp(address);
    },
    hasConstantTermScore: true,
    isIndexed,
    hasDocValues,
  };
}

/**
 * The 16 bytes of an address.
 * @throws OperationError 400
 */
export function parseIp(address: string): Uint8Array<ArrayBuffer> {
  const parsed = tryParseIp(address);
  if (parsed === undefined) throw illegalArgument(`'${address}' is not an IP string literal.`);
  return parsed;
}

/** The 16 bytes of an address; `undefined`: the text is none. */
export function tryParseIp(address: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(16);
  if (!address.includes(":")) {
    bytes[10] = 255;
    bytes[11] = 255;
    return fillIpv4(address, bytes, 12) ? bytes : undefined;
  }
  return fillIpv6(address, bytes) ? bytes : undefined;
}

/** Writes four bytes at `offset`; false: the text is no IPv4 address. */
function fillIpv4(address: string, bytes: Uint8Array, offset: number): boolean {
  let part = 0;
  let value = -1;
  let digits = 0;
  for (let i = 0; i <= address.length; i += 1) {
    const code = i === address.length ? 46 : address.charCodeAt(i);
    if (code === 46) {
      if (value < 0 || value > 255 || part > 3) return false;
      bytes[offset + part] = value;
      part += 1;
      value = -1;
      digits = 0;
    } else {
      const digit = code - 48;
      digits += 1;
      if (digit < 0 || digit > 9 || digits > 3 || (value === 0 && digits > 1)) return false;
      value = value < 0 ? digit : value * 10 + digit;
    }
  }
  return part === 4;
}

function fillIpv6(address: string, bytes: Uint8Array): boolean {
  const [bare = ""] = address.split("%");
  const halves = bare.split("::");
  if (halves.length > 2) return false;
  const groupsOf = (half: string | undefined): string[] =>
    half === undefined || half === "" ? [] : half.split(":");
  const left = expandIpv4(groupsOf(halves[0]));
  const right = expandIpv4(groupsOf(halves[1]));
  if (left === undefined || right === undefined) return false;
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return false;
  const groups = [...left, ...Array.from({ length: missing }, () => 0), ...right];
  groups.forEach((group, i) => {
    bytes[i * 2] = group >> 8;
    bytes[i * 2 + 1] = group & 255;
  });
  return true;
}

/** The groups of half an IPv6 address, of which the last may be an IPv4 address. */
function expandIpv4(groups: readonly string[]): number[] | undefined {
  const numbers: number[] = [];
  for (const [i, group] of groups.entries()) {
    if (i === groups.length - 1 && group.includes(".")) {
      const tail = new Uint8Array(4);
      if (!fillIpv4(group, tail, 0)) return undefined;
      numbers.push(((tail[0] ?? 0) << 8) | (tail[1] ?? 0), ((tail[2] ?? 0) << 8) | (tail[3] ?? 0));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      numbers.push(Number.parseInt(group, 16));
    } else {
      return undefined;
    }
  }
  return numbers;
}

/** IPv4 in dots; IPv6 in lower case, with the longest run of zeros replaced by `::`. */
export function formatIp(bytes: Uint8Array): string {
  const isMapped =
    bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return [...bytes.slice(12)].join(".");
  const groups = Array.from(
    { length: 8 },
    (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0),
  );
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i += 1) {
    let end = i;
    while (end < 8 && groups[end] === 0) end += 1;
    if (end - i > best.length) best = { start: i, length: end - i };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(":");
  return `${hex.slice(0, best.start).join(":")}::${hex.slice(best.start + best.length).join(":")}`;
}

/**
 * First and last address of a block such as `10.0.0.0/8`.
 * @throws OperationError 400
 */
export function parseCidr(block: string): {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
} {
  const slash = block.indexOf("/");
  if (slash < 0) throw illegalArgument(`Expected [ip/prefix] but was [${block}]`);
  const address = block.slice(0, slash);
  const first = parseIp(address);
  const given = Number(block.slice(slash + 1));
  const limit = address.includes(":") ? 128 : 32;
  if (!Number.isInteger(given) || given < 0 || given > limit) {
    throw illegalArgument(
      `Illegal prefix length [${block.slice(slash + 1)}] in [${block}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    );
  }
  const prefix = given + (128 - limit);
  const last = first.slice();
  for (let bit = prefix; bit < 128; bit += 1) {
    const mask = 128 >> (bit % 8);
    first[bit >> 3] = (first[bit >> 3] ?? 0) & ~mask;
    last[bit >> 3] = (last[bit >> 3] ?? 0) | mask;
  }
  return { first, last };
}
