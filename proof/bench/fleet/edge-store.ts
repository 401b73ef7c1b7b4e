/** The adapter of the key-value store without its API, for clocks that are not the machine's. */
import type { EdgeStore } from '../../../functions/lib/shop/edge-store.ts'
import { type KeyValueStore, StoreRefusal } from '../../../local/cdn/key-value-store.ts'

export function edgeStoreOver(store: KeyValueStore): EdgeStore {
  return {
    etag: async () => store.facts().etag,
    read: async (key) => store.get(key),
    async update(etag, changes) {
      const puts = [...changes].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]))
      const deletes = [...changes].flatMap(([key, value]) => (value === undefined ? [key] : []))
      try {
        store.update(etag, { puts, deletes })
        return 'updated'
      } catch (error) {
        if (error instanceof StoreRefusal && error.kind === 'ConflictException') return 'conflict'
        throw error
      }
    },
  }
}
