/**
 * The shared cache of the page behaviours, like CloudFront's: when a million waiting pages poll the pointer in the same
 * second, the bucket gets one request (C6).
 */
import { LRUCache } from 'lru-cache'

/** An object from the origin. `etag` and `cacheControl` are its headers, when present. */
export type Fetched = {
  status: number
  contentType: string
  cacheControl: string | undefined
  etag: string | undefined
  body: Buffer
}

/** A cached object; `variants` are its compressed forms, created on first request. */
type Stored = Fetched & { storedAt: number; freshUntil: number; variants: Map<string, Buffer> }

type XCache = 'Hit' | 'Miss' | 'Error'
export type Served = { object: Stored; xCache: XCache; ageSeconds: number }

export type CacheOptions = {
  now: () => number
  /** How long an error of the origin is cached (CloudFront's error caching minimum TTL). */
  errorTtlMs: number
  /** Maximum cache time of any object (CloudFront's maximum TTL). */
  maxTtlMs: number
  maxBytes: number
}

export type SharedCache = {
  /**
   * Returns the object under `key`: from memory while it is fresh, otherwise by `load`, once for all concurrent
   * requests. While the origin fails, it returns a stale object instead of the error. Rejects only when `load` rejects
   * and there is no stale object.
   */
  get(key: string, load: () => Promise<Fetched>): Promise<Served>
}

export function sharedCache({ now, errorTtlMs, maxTtlMs, maxBytes }: CacheOptions): SharedCache {
  const objects = new LRUCache<string, Stored>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length * 2 + 1024,
  })
  const loading = new Map<string, Promise<Stored>>()

  async function loadOnce(key: string, load: () => Promise<Fetched>): Promise<Stored> {
    const fetched = await load()
    const storedAt = now()
    const ttlMs = Math.min(maxTtlMs, ttlOf(fetched, errorTtlMs))
    const stored: Stored = { ...fetched, storedAt, freshUntil: storedAt + ttlMs, variants: new Map() }
    const stale = objects.get(key)
    // An error never replaces a good object, which is served stale while the origin is down.
    if (ttlMs > 0 && !(isFailure(fetched.status) && stale !== undefined && !isFailure(stale.status))) {
      objects.set(key, stored)
    }
    return stored
  }

  async function fetchShared(key: string, load: () => Promise<Fetched>): Promise<Served> {
    const underWay = loading.get(key)
    if (underWay !== undefined) {
      const stored = await underWay
      // An answer that must not be shared is only for its own request; the others load theirs.
      return isShareable(stored) ? serve(stored, 'Hit') : serve(await loadOnce(key, load), 'Miss')
    }
    const first = loadOnce(key, load)
    loading.set(key, first)
    try {
      return serve(await first, 'Miss')
    } finally {
      loading.delete(key)
    }
  }

  function serve(object: Stored, xCache: XCache): Served {
    const ageSeconds = Math.max(0, Math.floor((now() - object.storedAt) / 1000))
    return { object, xCache: object.status >= 400 ? 'Error' : xCache, ageSeconds }
  }

  return {
    async get(key, load) {
      const kept = objects.get(key)
      if (kept !== undefined && now() < kept.freshUntil) return serve(kept, 'Hit')
      const stale = kept !== undefined && !isFailure(kept.status) ? kept : undefined
      try {
        const served = await fetchShared(key, load)
        return stale !== undefined && isFailure(served.object.status) ? staleFor(stale) : served
      } catch (failure) {
        if (stale === undefined) throw failure
        return staleFor(stale)
      }
    },
  }

  /** Serves a stale object, and retries the failing origin only after the error TTL. */
  function staleFor(stale: Stored): Served {
    stale.freshUntil = now() + errorTtlMs
    return serve(stale, 'Hit')
  }
}

function ttlOf(fetched: Fetched, errorTtlMs: number): number {
  if (fetched.status >= 400) return errorTtlMs
  const lifetime = sharedLifetime(fetched.cacheControl)
  return lifetime.kind === 'store' ? lifetime.ttlMs : 0
}

const isFailure = (status: number) => status >= 500
const isShareable = (stored: Stored) => stored.freshUntil > stored.storedAt

/** The time that a shared cache may store an answer. */
type Lifetime = { kind: 'store'; ttlMs: number } | { kind: 'do-not-store' }

/** The maximum of our cache policy, which has no minimum and does not cache without a header. */
const maxTtlSeconds = 31_536_000

/**
 * Reads the lifetime from Cache-Control: `s-maxage` overrides `max-age`; private, no-store and no-cache are never
 * cached.
 */
export function sharedLifetime(cacheControl: string | undefined): Lifetime {
  const directives = new Map<string, string>()
  for (const part of (cacheControl ?? '').toLowerCase().split(',')) {
    const [name = '', value = ''] = part.trim().split('=')
    directives.set(name, value)
  }
  if (['private', 'no-store', 'no-cache'].some((name) => directives.has(name))) return { kind: 'do-not-store' }
  const seconds = Number(directives.get('s-maxage') ?? directives.get('max-age') ?? 0)
  if (!(seconds > 0)) return { kind: 'do-not-store' }
  return { kind: 'store', ttlMs: Math.min(seconds, maxTtlSeconds) * 1000 }
}
