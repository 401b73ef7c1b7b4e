/**
 * The shop's first page is not part of the build: the scheduled `reconcile` publishes it, here as
 * in the cloud.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Origin } from './origin.ts'

const everyMs = 20
/** A machine that is busy with other work took a minute. */
const patienceMs = 180_000

/**
 * Waits until the bucket has the page at `path`.
 * @throws when the first run of the schedule has not published it
 */
export async function firstPage(bucket: Pick<Origin, 'send'>, path: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while ((await bucket.send({ method: 'HEAD', path, headers: [], body: null })).status !== 200) {
    if (Date.now() >= giveUpAt) throw new Error('The schedule has not published the first page of the shop.')
    await sleep(everyMs)
  }
}
