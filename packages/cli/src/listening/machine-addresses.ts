/**
 * Addresses of the machine that a list of hosts stands for: host names, addresses, and the special values `_local_`,
 * `_site_`, `_global_` and `_[interface]_`, each with `:ipv4` or `:ipv6` (`NetworkService`, `NetworkUtils`).
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { appendAll, compareBytes, illegalArgument } from "@orrery/stdx";

/** Address of an interface that is up. */
export interface InterfaceAddress {
  readonly interfaceName: string;
  readonly address: string;
}

/** Addresses of a machine, and its resolver of names. */
export interface Machine {
  readonly addresses: readonly InterfaceAddress[];
  readonly lookUp: (name: string) => Promise<readonly string[]>;
}

/** Address under which a node is published; with its name, if the setting names it. */
export interface PublishAddress {
  readonly address: string;
  readonly name: string | undefined;
}

/**
 * The addresses to listen on.
 * @throws OperationError A host cannot be resolved, or the addresses exclude each other.
 */
export async function bindAddressesOf(
  hosts: readonly string[],
  machine: Machine = thisMachine(),
): Promise<readonly string[]> {
  const addresses = (await resolved(hosts, machine)).map(({ address }) => address);
  refuseMistakes("bind", addresses);
  // As in Java, whose sockets are IPv6 ones where the machine has it, and take IPv4 connections as well.
  const hasIPv6 = machine.addresses.some(({ address }) => isIPv6(address));
  return addresses.map((address) => (hasIPv6 && isAnyLocal(address) ? "::" : address));
}

/**
 * The one address under which a node is published. Of several, and of those behind a wildcard, the preferred one: IPv4
 * before IPv6, public before private before link-local before loopback.
 * @throws OperationError A host cannot be resolved, or the addresses exclude each other.
 */
export async function publishAddressOf(
  hosts: readonly string[],
  machine: Machine = thisMachine(),
): Promise<PublishAddress> {
  const found = await resolved(hosts, machine);
  const [only] = found;
  const isWildcard = found.length === 1 && only !== undefined && isAnyLocal(only.address);
  const candidates = isWildcard
    ? machine.addresses.map(({ address }): PublishAddress => ({ address, name: undefined }))
    : found;
  refuseMistakes(
    "publish",
    candidates.map(({ address }) => address),
  );
  const [best] = candidates.toSorted((a, b) => compareAddresses(a.address, b.address));
  if (best === undefined) throw illegalArgument("No up-and-running network interface found");
  return best;
}

/** True if only this machine reaches the address. */
export function isLoopback(address: string): boolean {
  return isIn(loopback, address);
}

/** True for `0.0.0.0` and `::`. */
export function isAnyLocal(address: string): boolean {
  return bytesOf(address).every((byte) => byte === 0);
}

/** `address:port`, with brackets around an IPv6 address, and without its zone. */
export function addressText(address: string, port: number): string {
  return isIPv6(address) ? `[${withoutZone(address)}]:${port}` : `${address}:${port}`;
}

/** Addresses of this machine's interfaces. */
export function thisMachine(): Machine {
  const addresses = Object.entries(networkInterfaces()).flatMap(([interfaceName, found = []]) =>
    found.map(({ address, family, ...rest }): InterfaceAddress => {
      const isLinkLocal = family === "IPv6" && isIn(linkLocal, address);
      // A link-local address means one interface only together with its zone.
      const zone = isLinkLocal && "scopeid" in rest ? `%${interfaceName}` : "";
      return { interfaceName, address: `${address}${zone}` };
    }),
  );
  return {
    addresses,
    lookUp: async (name) => {
      const { lookup } = await import("node:dns/promises");
      return (await lookup(name, { all: true })).map(({ address }) => address);
    },
  };
}

/** Addresses of all hosts, each once. */
async function resolved(
  hosts: readonly string[],
  machine: Machine,
): Promise<readonly PublishAddress[]> {
  const all: PublishAddress[] = [];
  for (const host of hosts) {
    const isSpecial = /^(?:_.*_|#.*#)$/.test(host) && host.length > 1;
    const found = isSpecial
      ? special(host.slice(1, -1), machine).map((address) => ({ address, name: undefined }))
      : await named(host, machine);
    appendAll(all, found);
  }
  return all.filter(({ address }, i) => all.findIndex((other) => other.address === address) === i);
}

async function named(host: string, { lookUp }: Machine): Promise<readonly PublishAddress[]> {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0) return [{ address: canonical(literal), name: undefined }];
  try {
    const addresses = await lookUp(host);
    return addresses.map((address) => ({ address, name: host }));
  } catch {
    throw illegalArgument(`Failed to resolve host [${host}]`);
  }
}

/** Addresses of a special value, which stands without its underscores. */
function special(value: string, { addresses }: Machine): readonly string[] {
  const [, scope = "", family] = /^(.*?)(?::(ipv4|ipv6))?$/.exec(value) ?? [];
  // In the order of Java's interfaces.
  const ordered = addresses.toSorted(
    (a, b) => Number(isIPv6(b.address)) - Number(isIPv6(a.address)),
  );
  const all = ordered.map(({ address }) => address);
  const found = scopeOf(scope, all) ?? ofInterface(scope, ordered, value);
  const wanted = found.filter(
    (address) => family === undefined || isIPv6(address) === (family === "ipv6"),
  );
  if (wanted.length > 0) return wanted;
  if (found.length === 0)
    throw illegalArgument(`${nothing(scope)}, got ${interfacesIn(addresses)}`);
  throw illegalArgument(`No ${family} addresses found in [${found.join(", ")}]`);
}

function scopeOf(scope: string, all: readonly string[]): readonly string[] | undefined {
  switch (scope) {
    case "local":
      return all.filter((address) => isIn(loopback, address));
    case "site":
      return all.filter((address) => isIn(siteLocal, address));
    case "global":
      return all.filter(
        (address) => ![loopback, siteLocal, linkLocal].some((list) => isIn(list, address)),
      );
    default:
      return undefined;
  }
}

function nothing(scope: string): string {
  if (scope === "local") return "No up-and-running loopback addresses found";
  if (scope === "site") return "No up-and-running site-local (private) addresses found";
  return "No up-and-running global-scope (public) addresses found";
}

function ofInterface(
  name: string,
  addresses: readonly InterfaceAddress[],
  value: string,
): readonly string[] {
  const found = addresses.filter(({ interfaceName }) => interfaceName === name);
  if (found.length > 0) return found.map(({ address }) => address);
  throw illegalArgument(`No interface named '${value}' found, got ${interfacesIn(addresses)}`);
}

function interfacesIn(addresses: readonly InterfaceAddress[]): string {
  const names = [...new Set(addresses.map(({ interfaceName }) => interfaceName))];
  return `[${names.map((name) => `name:${name} (${name})`).join(", ")}]`;
}

function refuseMistakes(kind: "bind" | "publish", addresses: readonly string[]): void {
  for (const address of addresses) {
    const what = `${kind} address: {${withoutZone(address)}} is`;
    if (isIn(multicast, address)) throw illegalArgument(`${what} invalid: multicast address`);
    if (addresses.length > 1 && isAnyLocal(address))
      throw illegalArgument(
        `${what} wildcard, but multiple addresses specified: this makes no sense`,
      );
  }
}

/** Order in which addresses are preferred (`NetworkUtils.sortKey`). */
function compareAddresses(a: string, b: string): number {
  return preference(a) - preference(b) || compareBytes(bytesOf(a), bytesOf(b));
}

function preference(address: string): number {
  return (
    bytesOf(address).length +
    (isIn(loopback, address) ? 3 : 0) +
    (isIn(linkLocal, address) ? 2 : 0) +
    (isIn(siteLocal, address) ? 1 : 0)
  );
}

function subnets(...nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of nets) list.addSubnet(net, bits, isIPv6(net) ? "ipv6" : "ipv4");
  return list;
}

/** The scopes of addresses, as Java's `InetAddress` has them: unique local addresses of IPv6 are global. */
const loopback = subnets(["127.0.0.0", 8], ["::1", 128]);
const linkLocal = subnets(["169.254.0.0", 16], ["fe80::", 10]);
const siteLocal = subnets(["10.0.0.0", 8], ["172.16.0.0", 12], ["192.168.0.0", 16], ["fec0::", 10]);
const multicast = subnets(["224.0.0.0", 4], ["ff00::", 8]);

function isIn(list: BlockList, address: string): boolean {
  return list.check(withoutZone(address), isIPv6(address) ? "ipv6" : "ipv4");
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, "");
}

/** The address in the shortest form (RFC 5952); an IPv4 address in the form of IPv6 as the former. */
function canonical(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [, zone = ""] = /(%.*)$/.exec(address) ?? [];
  return new URL(`http://[${withoutZone(address)}]`).hostname.slice(1, -1) + zone;
}

function bytesOf(address: string): Uint8Array {
  if (!isIPv6(address)) return Uint8Array.from(address.split("."), Number);
  const [before = "", after] = withoutZone(canonical(address)).split("::");
  const groups = (text = ""): string[] => (text === "" ? [] : text.split(":"));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return Uint8Array.from(
    [...head, ...zeros, ...tail].flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}
