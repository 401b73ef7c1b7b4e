/** Stores of CloudFront Functions for tests. */
import { createKeyValueStore, type EdgeLocation } from '../../local/cdn/key-value-store.ts'

/** A location without a delay, whose store has these values. */
export function locationWith(values: Readonly<Record<string, string>>): EdgeLocation {
  const store = createKeyValueStore({ now: Date.now, maxDelayMs: 0 })
  for (const [key, value] of Object.entries(values)) {
    store.update(store.facts().etag, { puts: [{ key, value }], deletes: [] })
  }
  return store.location(0)
}

export const emptyLocation = (): EdgeLocation => locationWith({})
