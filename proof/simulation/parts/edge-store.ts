/** The store of the CloudFront Functions in memory. */
import type { EdgeStore } from '../../../functions/lib/shop/edge-store.ts'

export function memoryEdgeStore(): EdgeStore & { values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>()
  let changes = 0
  const etag = () => `etag-${changes}`
  return {
    values,
    etag: async () => etag(),
    read: async (key) => values.get(key),
    async update(seen, changed) {
      if (seen !== etag()) return 'conflict'
      changes += 1
      for (const [key, value] of changed) {
        if (value === undefined) values.delete(key)
        else values.set(key, value)
      }
      return 'updated'
    },
  }
}
