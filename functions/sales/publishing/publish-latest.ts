/**
 * Publishes a mutable public object with concurrent publishers. Each reads the state, puts it, and reads the state again. A
 * publisher that put an old state last notices, and puts the new one.
 */
import type { Site, SiteObject } from '../../lib/shop/shop.ts'

/** `facts` is the content of an object without its own time, and `state` the part that must never stay stale. */
export type Snapshot = { body: string; facts: string; state: string }

/**
 * Bounds the rounds for an object that changes faster than it can be published, because each of its writers publishes too. Only
 * a count may stay stale: the writer of another state may have published, and read, before this put.
 */
export const maxRounds = 2

/**
 * Puts the snapshots that `readSnapshot` returns until they no longer change, or after some rounds until their state does not.
 * Removes the object when there is none, as after its sale was deleted.
 */
export async function publishLatest(
  site: Site,
  object: Omit<SiteObject, 'body'>,
  readSnapshot: () => Promise<Snapshot | undefined>,
): Promise<void> {
  let latest = await readSnapshot()
  for (let round = 1; ; round += 1) {
    if (latest === undefined) return site.remove(object.path)
    await site.put({ ...object, body: latest.body })
    const now = await readSnapshot()
    if (now?.facts === latest.facts) return
    if (round >= maxRounds && now?.state === latest.state) return
    latest = now
  }
}
