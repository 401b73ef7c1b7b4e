/** What the local issuer remembers, in memory: sessions, codes and tokens, each until it expires. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

type Entry = { payload: AdapterPayload; expiresAt: number }

/** One store for all kinds of records of one issuer. `clock` gives epoch ms. */
export function memoryRecords(clock: () => number): AdapterFactory {
  const entries = new Map<string, Entry>()

  function find(key: string): AdapterPayload | undefined {
    const entry = entries.get(key)
    if (entry !== undefined && entry.expiresAt > clock()) return entry.payload
    entries.delete(key)
    return undefined
  }

  function findBy(kind: string, field: 'uid' | 'userCode', value: string): AdapterPayload | undefined {
    for (const [key, { payload }] of entries) {
      if (key.startsWith(`${kind}:`) && payload[field] === value) return find(key)
    }
    return undefined
  }

  return (kind): Adapter => ({
    async upsert(id, payload, expiresIn = Number.POSITIVE_INFINITY) {
      entries.set(`${kind}:${id}`, { payload, expiresAt: clock() + expiresIn * 1000 })
    },
    find: async (id) => find(`${kind}:${id}`),
    findByUid: async (uid) => findBy(kind, 'uid', uid),
    findByUserCode: async (userCode) => findBy(kind, 'userCode', userCode),
    async consume(id) {
      const payload = find(`${kind}:${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(clock() / 1000)
    },
    async destroy(id) {
      entries.delete(`${kind}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
