/** The crowd: everybody signs in first, then all of them come at once. */
import { signInAll } from '../sign-in.ts'
import type { System } from '../system.ts'
import type { CrowdOptions } from './options.ts'
import { type Door, type Ending, type Shopper, shop, type Try } from './shopper.ts'
import type { Watch } from './watch.ts'

/** Everybody has a token before the doors open. The order of arrival is shuffled by the seed. */
export async function signIn(
  system: System,
  { shoppers: count, startStep }: CrowdOptions,
  random: () => number,
): Promise<Shopper[]> {
  const names = Array.from({ length: count }, (_, i) => `shopper-${i}`)
  const tokens = await signInAll(system, names, startStep)
  const shoppers = tokens.map((token, i): Shopper => ({ shopperId: `shopper-${i}`, token, key: `rush-${i}` }))
  for (let i = shoppers.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [shoppers[i], shoppers[j]]
    if (a !== undefined && b !== undefined) [shoppers[i], shoppers[j]] = [b, a]
  }
  return shoppers
}

export type Crowd<Prize> = {
  winners: (Prize & { shopperId: string })[]
  /** How many went home without an answer that settles anything. */
  gaveUp: number
  /** Who went home with nothing, and may have won all the same. */
  inDoubt: string[]
  tries: Try[]
  seconds: number
}

/** Lets everybody in at once and waits until each has an ending. */
export async function letIn<Prize>(
  door: Door<Prize>,
  watch: Watch<Prize>,
  shoppers: Shopper[],
  { patienceMs, startStep }: CrowdOptions,
  random: () => number,
): Promise<Crowd<Prize>> {
  const crowd: Crowd<Prize> = { winners: [], gaveUp: 0, inDoubt: [], tries: [], seconds: 0 }
  const { winners, inDoubt, tries } = crowd
  const step = startStep('clicking', shoppers.length)
  const from = performance.now()
  let done = 0
  const seeOut = ({ shopperId, token }: Shopper, ending: Ending<Prize>) => {
    if (ending.kind === 'won') {
      winners.push({ ...ending.prize, shopperId })
      watch.won(ending.prize, token)
    } else if (ending.inDoubt) inDoubt.push(shopperId)
    if (ending.kind === 'gave-up') crowd.gaveUp += 1
    done += 1
    step.to(done, `${winners.length} won`)
  }
  await Promise.all(
    shoppers.map(async (shopper) => {
      const onTry = (made: Try) => tries.push(made)
      seeOut(shopper, await shop(shopper, { ...door, onTry, random, patienceMs }))
    }),
  )
  crowd.seconds = (performance.now() - from) / 1000
  step.end()
  return crowd
}
