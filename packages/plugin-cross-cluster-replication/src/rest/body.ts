/** Parsers of small bodies: each field is checked, and unknown fields are refused with the name of the product's parser. */
import { missingBody, missingBodyOrSource, type BodyParser, type Content } from "@orrery/rest";
import {
  isJsonObject,
  lookup,
  OperationError,
  setKey,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";

type Kind = "text" | "flag" | "object";

type Value<K extends Kind> = K extends "text" ? string : K extends "flag" ? boolean : JsonObject;

type Shape = Readonly<Record<string, Kind>>;

/** The parsed fields; an absent field is `undefined`. */
export type Fields<S extends Shape> = { readonly [Name in keyof S]?: Value<S[Name]> };

/** Rules of a body parser: its name in messages, and its treatment of a missing body. */
export interface BodyRules {
  /** Name of the parser in the product's messages. */
  readonly parser: string;
  /** Treatment of a request without a body: refused, with one of two messages, or an empty body. */
  readonly missing: "refused" | "refused-or-source" | "empty";
}

/** A parser for the given fields. */
export function fieldsOf<const S extends Shape>(shape: S, rules: BodyRules): BodyParser<Fields<S>> {
  return (content) => {
    if (content === undefined) {
      if (rules.missing === "empty") return {};
      throw rules.missing === "refused" ? missingBody() : missingBodyOrSource();
    }
    const fields: Record<string, Json> = {};
    for (const [name, value] of Object.entries(content.object())) {
      const kind = lookup(shape, name);
      if (kind === undefined) throw unknownField(content, name, rules);
      setKey(fields, name, checked(content, { name, value: value ?? null, kind }, rules));
    }
    return fields as Fields<S>;
  };
}

interface Field {
  readonly name: string;
  readonly value: Json;
  readonly kind: Kind;
}

function checked(content: Content, { name, value, kind }: Field, { parser }: BodyRules): Json {
  if (kind === "object" && isJsonObject(value)) return value;
  if (kind === "text" && typeof value !== "object") return String(value);
  if (kind === "flag" && typeof value === "boolean") return value;
  if (kind === "flag" && (value === "true" || value === "false")) return value === "true";
  const reason = `${content.at([name], "value")} [${parser}] failed to parse field [${name}]`;
  throw new OperationError({ type: "x_content_parse_exception", reason, status: 400 });
}

function unknownField(content: Content, name: string, { parser }: BodyRules): OperationError {
  const reason = `${content.at([name], "key")} [${parser}] unknown field [${name}]`;
  return new OperationError({ type: "x_content_parse_exception", reason, status: 400 });
}

/** The problem of `use_roles` as a text: a role is missing. `undefined`: both are set, or `use_roles` is absent. */
export function rolesProblem(roles: JsonObject | undefined): string | undefined {
  if (roles === undefined) return undefined;
  const isWhole = ["leader_cluster_role", "follower_cluster_role"].every(
    (name) => typeof lookup(roles, name) === "string" && lookup(roles, name) !== "",
  );
  return isWhole ? undefined : "Need roles for leader_cluster_role and follower_cluster_role";
}

const FORBIDDEN = /[ "*\\<|,>/?]/;

/** All problems with the name of an index. */
export function nameProblems(name: string): readonly string[] {
  const complaints: readonly (readonly [boolean, string])[] = [
    [name.toLowerCase() !== name, "must be lowercase"],
    [
      FORBIDDEN.test(name),
      'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    ],
    [name.includes("#") || name.includes(":"), "must not contain '#' or ':'"],
    [name === "." || name === "..", "must not be '.' or '..'"],
    [/^[_\-+]/.test(name), "must not start with '_' or '-' or '+'"],
    [utf8Encode(name).length > 255, "must not be longer than 255 bytes"],
    [name.startsWith("."), "must not start with '.'"],
  ];
  return complaints.flatMap(([isWrong, complaint]) =>
    isWrong ? [`Value ${name} ${complaint}`] : [],
  );
}
