/**
 * Keeps a replaceable public object equal to the truth when several publish at once. Each reads the truth, puts
 * it, and reads the truth again: whoever put an old state last finds out and puts the new one, so the last put
 * of all is never followed by a truth it did not see.
 */
import type { Site, SiteObject } from './site.ts'

/** An object as it must be now. `state` is the part of it that nobody may leave behind out of date. */
export type Truth = { body: string; state: string }

/**
 * For what changes faster than we publish, more rounds do not help, and each of its changers publishes too. That
 * excuses a count of the past only: whoever changed the state may have published, and looked, before our put.
 */
export const maxRounds = 2

/**
 * Puts what `truth` makes until it no longer changes, or after some rounds until its state does not. While that is undefined, as
 * after its sale was deleted, the object is removed.
 */
export async function publishLatest(
  site: Site,
  object: Omit<SiteObject, 'body'>,
  truth: () => Promise<Truth | undefined>,
): Promise<void> {
  let wanted = await truth()
  for (let round = 1; ; round += 1) {
    if (wanted === undefined) return site.remove(object.path)
    await site.put({ ...object, body: wanted.body })
    const now = await truth()
    if (now?.body === wanted.body) return
    if (round >= maxRounds && now?.state === wanted.state) return
    wanted = now
  }
}
