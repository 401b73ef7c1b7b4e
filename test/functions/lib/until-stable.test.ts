import { describe, expect, it } from 'vitest'
import { repeatUntilStable } from '../../../functions/lib/retry.ts'

/** Returns the published values when the reads return `seen`, one after the other. */
async function publishedFor(...seen: boolean[]): Promise<boolean[]> {
  const published: boolean[] = []
  await repeatUntilStable(
    async () => seen.shift() ?? false,
    async (now) => void published.push(now),
  )
  return published
}

describe('publishing a value that may change meanwhile', () => {
  it('ends with the first read that equals what was published', async () => {
    expect(await publishedFor(true, true, false)).toEqual([true])
  })

  it('publishes again what has changed, so that the last published value is current', async () => {
    expect(await publishedFor(false, true, false, false, true)).toEqual([false, true, false])
  })
})
