/** Addresses and ports of nodes from their settings, as OpenSearch 3.8.0 chooses them on the machine described here. */
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { planNodes } from "../src/cluster-plan.ts";
import { httpUrl, localUrl, transportName } from "../src/data-folder.ts";
import { ineffectiveSettings } from "../src/ineffective-settings.ts";
import { exposureOf } from "../src/listening/exposure.ts";
import {
  bindAddressesOf,
  publishAddressOf,
  type Machine,
} from "../src/listening/machine-addresses.ts";
import { loopbackAddresses, type NodeAddresses } from "../src/listening/node-addresses.ts";
import { planPorts } from "../src/listening/ports.ts";
import { listenSettingsOf } from "../src/listening/settings.ts";

const machine: Machine = {
  addresses: [
    { interfaceName: "lo", address: "127.0.0.1" },
    { interfaceName: "lo", address: "::1" },
    { interfaceName: "eth0", address: "192.0.2.2" },
    { interfaceName: "eth0", address: "fd00::2" },
    { interfaceName: "eth0", address: "fe80::fc%eth0" },
  ],
  lookUp: async (name) => {
    if (name === "localhost") return ["127.0.0.1"];
    throw new Error("ENOTFOUND");
  },
};
const office: Machine = {
  ...machine,
  addresses: [
    { interfaceName: "lo", address: "127.0.0.1" },
    { interfaceName: "lan", address: "192.168.1.7" },
    { interfaceName: "vpn", address: "10.8.0.2" },
  ],
};

async function complaintOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no complaint",
    (error: Error) => error.message,
  );
}

describe("hosts", () => {
  test.each<[string, string[], string[], string]>([
    ["loopback", ["_local_"], ["::1", "127.0.0.1"], "127.0.0.1"],
    ["the older form of special values", ["#local#"], ["::1", "127.0.0.1"], "127.0.0.1"],
    ["public addresses", ["_global_"], ["fd00::2", "192.0.2.2"], "192.0.2.2"],
    ["an interface", ["_eth0_"], ["fd00::2", "fe80::fc%eth0", "192.0.2.2"], "192.0.2.2"],
    ["a family of an interface", ["_eth0:ipv6_"], ["fd00::2", "fe80::fc%eth0"], "fd00::2"],
    ["a family of a scope", ["_local:ipv4_"], ["127.0.0.1"], "127.0.0.1"],
    ["every address", ["0.0.0.0"], ["::"], "192.0.2.2"],
    ["every address of IPv6", ["::"], ["::"], "192.0.2.2"],
    ["an address", ["192.0.2.2"], ["192.0.2.2"], "192.0.2.2"],
    ["an address in another form", ["0:0:0:0:0:0:0:1"], ["::1"], "::1"],
    ["an address in brackets", ["[::1]"], ["::1"], "::1"],
    ["an IPv4 address as IPv6", ["::ffff:127.0.0.1"], ["127.0.0.1"], "127.0.0.1"],
    ["a name", ["localhost"], ["127.0.0.1"], "127.0.0.1"],
    ["a list", ["127.0.0.1", "192.0.2.2"], ["127.0.0.1", "192.0.2.2"], "192.0.2.2"],
    ["one address twice", ["127.0.0.1", "localhost"], ["127.0.0.1"], "127.0.0.1"],
  ])("%s", async (_, hosts, bound, published) => {
    expect(await bindAddressesOf(hosts, machine)).toEqual(bound);
    expect((await publishAddressOf(hosts, machine)).address).toBe(published);
  });

  test("private addresses, of which the lowest is published", async () => {
    expect(await bindAddressesOf(["_site_"], office)).toEqual(["192.168.1.7", "10.8.0.2"]);
    expect((await publishAddressOf(["_site_"], office)).address).toBe("10.8.0.2");
  });

  test("a machine without IPv6 listens on the wildcard of IPv4", async () => {
    expect(await bindAddressesOf(["0.0.0.0"], office)).toEqual(["0.0.0.0"]);
    expect((await publishAddressOf(["0.0.0.0"], office)).address).toBe("10.8.0.2");
  });

  test("a name is published with its address", async () => {
    const address = "127.0.0.1";
    expect(await publishAddressOf(["localhost"], machine)).toEqual({ address, name: "localhost" });
  });

  test.each([
    [
      ["_site_"],
      "No up-and-running site-local (private) addresses found, got [name:lo (lo), name:eth0 (eth0)]",
    ],
    [["_nope_"], "No interface named 'nope' found, got [name:lo (lo), name:eth0 (eth0)]"],
    [
      ["0.0.0.0", "127.0.0.1"],
      "bind address: {0.0.0.0} is wildcard, but multiple addresses specified: this makes no sense",
    ],
    [["224.0.0.1"], "bind address: {224.0.0.1} is invalid: multicast address"],
    [["no.such.host"], "Failed to resolve host [no.such.host]"],
  ])("%j: %s", async (hosts, complaint) => {
    expect(await complaintOf(bindAddressesOf(hosts, machine))).toContain(complaint);
  });
});

describe("settings", () => {
  test("the more specific one counts, for each layer and purpose", () => {
    const given = {
      "network.host": "a",
      "network.publish_host": "b",
      "http.host": ["c", "d"],
      "http.publish_host": "e",
      "transport.bind_host": "f, g",
    };

    const [http, transport] = [
      listenSettingsOf(given, "http"),
      listenSettingsOf(given, "transport"),
    ];

    expect([http.bindHosts, http.publishHosts]).toEqual([["c", "d"], ["e"]]);
    expect([transport.bindHosts, transport.publishHosts]).toEqual([["f", "g"], ["b"]]);
  });

  test("none: loopback; and an empty one is none", () => {
    expect(listenSettingsOf({ "http.host": "" }, "http")).toEqual({
      ...{ bindHosts: ["_local_"], publishHosts: ["_local_"] },
      ...{ port: undefined, publishPort: undefined },
    });
  });
});

describe("ports", () => {
  const common = {
    ...({
      nodes: 3,
      transport: "grpc",
      httpPort: undefined,
      addresses: loopbackAddresses,
    } as const),
  };

  test("of the settings are those of the first node, the option counts more", async () => {
    const settings = { "http.port": "9250", "transport.port": "9400" };

    expect(await planPorts({ ...common, settings })).toMatchObject({
      ...{ httpPort: 9250, transportPort: 9400 },
    });
    expect(await planPorts({ ...common, settings, httpPort: 9600 })).toMatchObject({
      ...{ httpPort: 9600, transportPort: 9400 },
    });
    expect(await planPorts({ ...common, settings: {} })).toMatchObject({
      ...{ httpPort: 9200, transportPort: 9300 },
    });
  });

  test("of a range are the first that are free for all nodes", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, "127.0.0.1", resolve);
    });
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const range = `${port}-${port + 40}`;

    const { httpPort } = await planPorts({ ...common, nodes: 2, settings: { "http.port": range } });
    taken.close();

    expect(httpPort).toBeGreaterThan(port);
    expect(httpPort).toBeLessThan(port + 40);
  });

  test.each<[Record<string, string>, string]>([
    [
      { "http.port": "0" },
      "[http.port] must be a port from 1 to 65535, or a range such as [9200-9300], not [0]",
    ],
    [
      { "http.port": "9300-9200" },
      "[http.port] must be a port from 1 to 65535, or a range such as [9200-9300], not [9300-9200]",
    ],
    [{ "http.port": "65534" }, "the HTTP ports [65534-65536] are not all from 1 to 65535"],
    [
      { "http.port": "9200", "transport.port": "9202" },
      "the HTTP ports [9200-9202] and the transport ports [9202-9204] overlap",
    ],
    [
      { "http.publish_port": "65535" },
      "the published http ports [65535-65537] are not all from 1 to 65535",
    ],
    [
      { "http.port": "9200-9201" },
      "[http.port] is [9200-9201]: no 3 ports in a row are free there",
    ],
  ])("%j is refused", async (settings, complaint) => {
    expect(await complaintOf(planPorts({ ...common, settings }))).toBe(complaint);
  });
});

describe("settings without effect", () => {
  const plan = { nodes: 3, transport: "grpc" } as const;
  const named = (
    settings: Record<string, string>,
    more: { readonly nodes?: number; readonly transport?: "memory" } = {},
  ): Promise<readonly string[]> =>
    ineffectiveSettings({ ...plan, ...more, settings }, { isPortGiven: true });

  test("are those of the product that nothing reads, of the core and of plugins", async () => {
    const settings = {
      "path.data": "/data",
      "bootstrap.memory_lock": "true",
      "plugins.replication.leader.thread_pool.size": "2",
      "plugins.replication.follower.poll_interval": "1s",
      "node.attr.zone": "a",
      "cluster.name": "books",
    };

    expect(await named(settings)).toEqual([
      "bootstrap.memory_lock",
      "path.data",
      "plugins.replication.leader.thread_pool.size",
    ]);
    expect(await named({})).toEqual([]);
  });

  test("are those that have none in this cluster", async () => {
    const settings = { "http.port": "9200", "node.name": "a", "transport.port": "9300" };

    expect(await named(settings)).toEqual([
      "http.port ([--http-port] is given)",
      "node.name (the nodes are named node-1 to node-3)",
    ]);
    expect(await named(settings, { nodes: 1, transport: "memory" })).toEqual([
      "http.port ([--http-port] is given)",
      "transport.port (nodes in one process have no transport port)",
    ]);
  });
});

describe("a plan", () => {
  const open: NodeAddresses = {
    http: { bind: ["::"], publish: { address: "192.0.2.2", name: "search.example" } },
    transport: { bind: ["fd00::2"], publish: { address: "fd00::2", name: undefined } },
  };
  const plan = {
    ...({ nodes: 2, transport: "grpc", httpPort: 9200, zones: [], settings: {} } as const),
    ...{ addresses: open, publishPorts: { http: 443 } },
  };

  test("has the published addresses of its nodes, and seeds others reach", () => {
    const nodes = planNodes(plan);

    expect(nodes.map(httpUrl)).toEqual(["http://search.example:443", "http://search.example:444"]);
    expect(nodes.map(localUrl)).toEqual(["http://127.0.0.1:9200", "http://127.0.0.1:9201"]);
    expect(nodes.map(transportName)).toEqual(["[fd00::2]:9300", "[fd00::2]:9301"]);
    expect(nodes[1]?.settings["discovery.seed_hosts"]).toEqual([
      "[fd00::2]:9300",
      "[fd00::2]:9301",
    ]);
  });

  test("names a single node as the setting does", () => {
    const settings = { "node.name": "search-1" };

    const [only] = planNodes({ ...plan, settings, nodes: 1 });
    const names = planNodes({ ...plan, settings }).map(({ name }) => name);

    expect(only?.name).toBe("search-1");
    expect(only?.settings["cluster.initial_cluster_manager_nodes"]).toEqual(["search-1"]);
    expect(names).toEqual(["node-1", "node-2"]);
  });

  test("warns once of addresses that other machines reach", () => {
    const { http, transport } = loopbackAddresses;

    expect(exposureOf(plan)).toMatch(/without security, everyone who reaches \[\[::\]:9200\]/);
    expect(exposureOf({ ...plan, addresses: { http, transport: open.transport } })).toMatch(
      /not encrypted/,
    );
    expect(exposureOf({ ...plan, addresses: { http, transport } })).toBeUndefined();
    expect(
      exposureOf({
        ...plan,
        transport: "memory",
        addresses: { http, transport: open.transport },
      }),
    ).toBeUndefined();
  });
});
