/** How long a shared cache may keep an answer, from its Cache-Control. */

export type Lifetime = { kind: 'store'; ttlMs: number } | { kind: 'do-not-store' }

/** Our cache policy: no minimum, no caching without a header, at most a year. */
const maxTtlSeconds = 31_536_000

/** `s-maxage` overrides `max-age`; private, no-store and no-cache are never cached. */
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
