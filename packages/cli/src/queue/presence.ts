/**
 * Presence of workers and of owners of jobs (sweeps, explorations) on a queue: a record that its process renews, and that
 * expires when the process is gone. Workers drop the jobs of an owner without a record.
 */
import type { Redis } from "ioredis";
import { isJsonObject, type Json } from "@orrery/stdx";
import { PREFIX } from "./build.ts";

type Kind = "worker" | "owner";

export interface About {
  readonly build: string;
  readonly host: string;
  readonly pid: number;
  /** Number of jobs that a worker runs at a time. */
  readonly jobs: number;
}

export interface Presence {
  /** Renews the record now; it is there when this resolves. */
  renew(): Promise<void>;
  /** Removes the record. */
  end(): Promise<void>;
}

/** An owner keeps its jobs while a lost connection is retried. */
const expiryMs: Readonly<Record<Kind, number>> = { worker: 10_000, owner: 90_000 };
const RENEW_MS = 2000;
const ABOUT = "about";

/** Publishes a record with the texts that workers of its jobs ask for, by their hashes. */
export async function announce(
  redis: Redis,
  { kind, id, about }: { readonly kind: Kind; readonly id: string; readonly about: About },
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<Presence> {
  const key = recordKey(kind, id);
  const fields = { ...Object.fromEntries(texts), [ABOUT]: JSON.stringify(about) };
  let isEnded = false;
  const publish = async (): Promise<void> => {
    await redis.hset(key, fields);
    await redis.pexpire(key, expiryMs[kind]);
    await redis.sadd(listKey(kind), id);
  };
  await publish();
  const renew = async (): Promise<void> => {
    // The server may have lost the record with its memory.
    if ((await redis.pexpire(key, expiryMs[kind])) === 0 && !isEnded) await publish();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  return {
    renew,
    end: async () => {
      isEnded = true;
      clearInterval(timer);
      await redis.del(key);
      await redis.srem(listKey(kind), id);
    },
  };
}

/** Records of all that are present; those that have expired are removed from the list. */
export async function present(redis: Redis, kind: Kind): Promise<readonly About[]> {
  const ids = await redis.smembers(listKey(kind));
  const found = await Promise.all(
    ids.map(async (id) => {
      const text = await redis.hget(recordKey(kind, id), ABOUT);
      if (text === null) await redis.srem(listKey(kind), id);
      return text === null ? undefined : aboutOf(text);
    }),
  );
  return found.filter((about) => about !== undefined);
}

export async function isPresent(redis: Redis, kind: Kind, id: string): Promise<boolean> {
  return (await redis.exists(recordKey(kind, id))) === 1;
}

/** Text that an owner published; `undefined` if there is none of at most that size. */
export async function textOf(
  redis: Redis,
  owner: string,
  { hash, mostBytes }: { readonly hash: string; readonly mostBytes: number },
): Promise<string | undefined> {
  const key = recordKey("owner", owner);
  // The size is asked first: another program may have stored a text of any size.
  const size = await redis.hstrlen(key, hash);
  return size > mostBytes ? undefined : ((await redis.hget(key, hash)) ?? undefined);
}

function aboutOf(text: string): About | undefined {
  try {
    const json = JSON.parse(text) as Json;
    if (!isJsonObject(json)) return undefined;
    const { build, host, pid, jobs } = json;
    const isWhole = typeof build === "string" && typeof host === "string";
    if (!isWhole || typeof pid !== "number" || typeof jobs !== "number") return undefined;
    return { build, host, pid, jobs: Math.max(0, Math.min(jobs, 1024)) };
  } catch {
    return undefined;
  }
}

function recordKey(kind: Kind, id: string): string {
  return `${PREFIX}:${kind}:${id}`;
}

function listKey(kind: Kind): string {
  return `${PREFIX}:${kind}s`;
}
