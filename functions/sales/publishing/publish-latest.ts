/**
 * Keeps a mutable public object up to date when several publish at once. Each reads the truth, puts it, and reads the
 * truth again. A publisher that put an old state last finds out and puts the new one.
 */
import type { Site, SiteObject } from '../../lib/shop/shop.ts'

/** `facts` is what an object says without its own time, and `state` the part that must never stay stale. */
export type Snapshot = { body: string; facts: string; state: string }

/**
 * Bounds the rounds for an object that changes faster than it can be published, because each of its writers publishes
 * too. Only a count may be left stale: the writer of another state may have published, and read, before this put.
 */
export const maxRounds = 2

/**
 * Puts what `truth` makes until it no longer changes, or after some rounds until its state does
 * not. While that is undefined, as after its sale was deleted, the object is removed.
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
