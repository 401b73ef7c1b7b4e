import { describe, expect, it } from 'vitest'
import { repeatUntilStable } from '../../../functions/lib/until-stable.ts'

/** What is told when the looks, one after the other, see `seen`. */
async function gateFactsOf(...seen: boolean[]): Promise<boolean[]> {
  const told: boolean[] = []
  await repeatUntilStable(
    async () => seen.shift() ?? false,
    async (now) => void told.push(now),
  )
  return told
}

describe('telling what may change meanwhile', () => {
  it('ends with the first look that sees what was told', async () => {
    expect(await gateFactsOf(true, true, false)).toEqual([true])
  })

  it('tells anew whatever has moved, so that what it told last is so', async () => {
    expect(await gateFactsOf(false, true, false, false, true)).toEqual([false, true, false])
  })
})
