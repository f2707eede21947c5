/** Routes and parameters of every operation against the public API description; each difference is told in `deviations`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catParameters } from "../src/cat/operation.ts";
import { operations } from "../src/operations/table.ts";
import { unbuiltOperations } from "../src/unbuilt.ts";

const file = join(import.meta.dirname, "../../../../shared/conformance/openapi.json");

interface Described {
  readonly routes: Set<string>;
  readonly parameters: Set<string>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}

interface Api {
  readonly paths: Record<
    string,
    Record<string, { "x-operation-group"?: string; parameters?: Parameter[] }>
  >;
  readonly components: { readonly parameters: Record<string, Parameter> };
}

const common = new Set([
  "pretty",
  "human",
  "error_trace",
  "source",
  "source_content_type",
  "filter_path",
  "format",
]);

function shapeOf(route: string): string {
  return route.replaceAll(/\{\w+\}/g, "{}");
}

function readApi(): Map<string, Described> {
  const api = JSON.parse(readFileSync(file, "utf8")) as Api;
  const groups = new Map<string, Described>();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const name = operation["x-operation-group"];
      if (name === undefined) continue;
      const group = groups.get(name) ?? { routes: new Set(), parameters: new Set() };
      groups.set(name, group);
      group.routes.add(`${method.toUpperCase()} ${shapeOf(path)}`);
      for (const parameter of operation.parameters ?? []) {
        const key = parameter.$ref?.split("/").at(-1) ?? "";
        const known = api.components.parameters[key] ?? parameter;
        if (known.in === "query" && known.name !== undefined) group.parameters.add(known.name);
      }
    }
  }
  return groups;
}

// The description lies outside the repository.
describe.skipIf(!existsSync(file))("an operation compared with the API description", () => {
  const groups = existsSync(file) ? readApi() : new Map<string, Described>();

  test.each(operations.map((operation) => [operation.group, operation] as const))(
    "%s differs only where its deviations say so",
    (name, operation) => {
      const described = groups.get(name);
      const routes = new Set(operation.routes.map(shapeOf));
      const inPath = new Set(
        operation.routes.flatMap((route) =>
          [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""),
        ),
      );
      const parameters = new Set([
        ...Object.keys(operation.query),
        ...(operation.responseParameters ?? []),
      ]);
      const isShared = (parameter: string): boolean =>
        common.has(parameter) ||
        (name.startsWith("cat.") && catParameters.includes(parameter)) ||
        (described?.parameters.has(parameter) === true && inPath.has(parameter));

      const differences: string[] = [
        ...routes.symmetricDifference(described?.routes ?? new Set<string>()),
        ...[...parameters.symmetricDifference(described?.parameters ?? new Set<string>())].filter(
          (parameter) => !isShared(parameter),
        ),
      ];

      const told = operation.deviations
        .filter(({ kind }) => kind !== "behaviour")
        .map((deviation) => shapeOf(deviation.name));
      expect(differences.toSorted()).toEqual(told.toSorted());
    },
  );

  test("each route of the core is served, or listed as one that is not built", () => {
    const known = new Set([...operations, ...unbuiltOperations].flatMap(shapesOf));
    const described = [...groups.values()].flatMap(({ routes }) => [...routes].map(withoutSlash));
    const missing = described.filter((route) => !known.has(route) && !isOfPlugin(route));

    expect(missing.toSorted()).toEqual([]);
  });
});

test("no route is both served and listed as one that is not built, nor listed twice", () => {
  const served = new Set(operations.flatMap(shapesOf));
  const unbuilt = unbuiltOperations.flatMap(shapesOf);

  expect(unbuilt.filter((route) => served.has(route))).toEqual([]);
  expect(unbuilt).toEqual([...new Set(unbuilt)]);
});

function shapesOf({ routes }: { readonly routes: readonly string[] }): readonly string[] {
  return routes.map((route) => withoutSlash(shapeOf(route)));
}

function withoutSlash(route: string): string {
  return route.replace(/(?<=.)\/$/, "");
}

function isOfPlugin(route: string): boolean {
  return /^\w+ \/_(?:plugins|opendistro|ltr|insights)(?:\/|$)/.test(route);
}
