/**
 * Keeps a replaceable public object equal to the truth when several publish at once. Each reads the truth, puts
 * it, and reads the truth again: whoever put an old state last finds out and puts the new one, so the last put
 * of all is never followed by a truth it did not see.
 */
import type { Site, SiteObject } from './site.ts'

/** More rounds only help while the truth changes faster than we publish, and then its changer publishes too. */
const maxRounds = 4

/** Puts what `truth` makes until it no longer changes, and returns the body put last. */
export async function keepTrue(
  site: Site,
  object: Omit<SiteObject, 'body'>,
  truth: () => Promise<string>,
): Promise<string> {
  let wanted = await truth()
  for (let round = 1; ; round += 1) {
    await site.put({ ...object, body: wanted })
    const now = await truth()
    if (now === wanted || round === maxRounds) return wanted
    wanted = now
  }
}
