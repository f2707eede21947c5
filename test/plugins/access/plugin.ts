/**
 * Access control in small, as a plugin: `secret/_doc/1` is for the keeper alone, and so is the field `salary` of any index.
 *
 * A guard around REST operations says who asks, and refuses what would lead around the rest: a snapshot could be restored under
 * another name. Around shards nothing is refused by name: what a request may see of a copy is restricted, whichever operation,
 * alias, pattern or body has led there. See docs/reference/plugins.md.
 */
import {
  createCaller,
  withCaller,
  type OperationCall,
  type Plugin,
  type Principal,
} from "@orrery/node";
import type { Guard, RequestContext } from "@orrery/ports";
import type { CopyRestriction, ShardPlugin } from "@orrery/shard-worker";
import { base64ToBytes, OperationError, utf8Decode, type Problem } from "@orrery/stdx";

/** By `name:password`. */
const users: ReadonlyMap<string, Principal> = new Map([
  ["keeper:kept", { name: "keeper", roles: ["all_access"] }],
  ["visitor:visits", { name: "visitor", roles: ["reader"] }],
]);

/** Of basic authentication; `undefined`: nobody. */
function principalOf(authorization: string | undefined): Principal | undefined {
  if (authorization === undefined) return undefined;
  const [scheme, given = ""] = authorization.split(" ");
  const bytes = scheme?.toLowerCase() === "basic" ? base64ToBytes(given) : undefined;
  const principal = bytes && users.get(utf8Decode(bytes));
  if (principal !== undefined) return principal;
  throw new OperationError({ type: "security_exception", reason: "Unauthorized", status: 401 });
}

const authenticate: Guard<OperationCall> = async (call, next) => {
  const principal = principalOf(call.header("authorization"));
  const { headers } = call.context.caller;
  const context = withCaller(call.context, createCaller({ principal, headers }));
  if (!isKeeper(context) && call.permission.startsWith("cluster:admin/"))
    throw new OperationError(refused(call.permission, context));
  return next(context);
};

function isKeeper({ caller }: RequestContext): boolean {
  return caller.principal?.name === "keeper";
}

function refused(permission: string, { caller }: RequestContext): Problem {
  const { name = "anonymous", roles = [] } = caller.principal ?? {};
  const user = `User [name=${name}, backend_roles=[${roles.join(", ")}], requestedTenant=null]`;
  const reason = `no permissions for [${permission}] and ${user}`;
  return { type: "security_exception", reason, status: 403 };
}

function restrict({ index }: { readonly index: string }, context: RequestContext) {
  if (isKeeper(context)) return undefined;
  const restriction: CopyRestriction = { hiddenFields: ["salary"] };
  if (index !== "secret") return restriction;
  return {
    ...restriction,
    documents: { bool: { must_not: [{ ids: { values: ["1"] } }] } },
    refusal: refused("indices:data/read/get", context),
  };
}

/** For shard workers. */
export const accessOnShards: ShardPlugin = { name: "access", actions: {}, restrict };

export const access: Plugin = {
  name: "access",
  description: "Restricts who sees what",
  classname: "org.example.AccessPlugin",
  operationGuards: [authenticate],
  shards: accessOnShards,
};
