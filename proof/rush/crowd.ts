/** The shoppers of a rush: all sign in first, then all send their requests at once. */
import { parseShopperId } from '../../core/ids.ts'
import { shardNumberOf } from '../../core/stock/hash-slot.ts'
import { signInAll } from '../bench/own-system.ts'
import type { System } from '../bench/system.ts'
import { findOptionMode } from './option-modes.ts'
import type { RushOptions } from './options.ts'
import { clickUntilDone, type Ending, type Try, traitsOf, type VirtualShopper, type WinRequest } from './shopper.ts'
import type { WinnerWatch } from './watch.ts'

/** Gets a token and a pass for all shoppers before the sale starts. The seed shuffles the order of arrival. */
export async function signInCrowd(
  system: System,
  { shoppers: count, mode, shards = 1, oneShard, startStep }: RushOptions,
  random: () => number,
): Promise<VirtualShopper[]> {
  const names = namesOf(count, oneShard ? shards : 1)
  const sessions = await signInAll(system, names, startStep)
  const traits = mode === undefined ? [] : traitsOf(count, { keepsUnits: findOptionMode(mode) !== undefined }, random)
  const shoppers = sessions.map((session, i): VirtualShopper => {
    const own = traits[i]
    return { shopperId: names[i] ?? '', ...session, key: `rush-${i}`, ...(own && { traits: own }) }
  })
  for (let i = shoppers.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [shoppers[i], shoppers[j]]
    if (a !== undefined && b !== undefined) [shoppers[i], shoppers[j]] = [b, a]
  }
  return shoppers
}

/** Returns `count` names; with several `shards`, those that belong to the first. */
function namesOf(count: number, shards: number): string[] {
  const names: string[] = []
  for (let i = 0; names.length < count; i += 1) {
    const name = `shopper-${i}`
    const shopperId = parseShopperId(name)
    if (shopperId !== undefined && shardNumberOf(shopperId, shards) === 0) names.push(name)
  }
  return names
}

export type Crowd<Win> = {
  winners: (Win & { shopperId: string })[]
  /** The number of shoppers without a final answer. */
  gaveUp: number
  /** Shoppers without a win who may have won, because an answer was lost. */
  inDoubt: string[]
  tries: Try[]
  /** Times from the start to the outcome, ms, of those who clicked. */
  waitsMs: number[]
  seconds: number
}

/** Starts all shoppers at once and waits until each has an outcome. */
export async function runCrowd<Win>(
  request: WinRequest<Win>,
  watch: Pick<WinnerWatch<Win>, 'won'>,
  shoppers: VirtualShopper[],
  { patienceMs, startStep, random }: Pick<RushOptions, 'patienceMs' | 'startStep'> & { random: () => number },
): Promise<Crowd<Win>> {
  const crowd: Crowd<Win> = { winners: [], gaveUp: 0, inDoubt: [], tries: [], waitsMs: [], seconds: 0 }
  const { winners, inDoubt, tries, waitsMs } = crowd
  const step = startStep('buying', shoppers.length)
  const from = performance.now()
  let done = 0
  const record = ({ shopperId, token }: VirtualShopper, ending: Ending<Win>) => {
    if (ending.kind === 'won') {
      winners.push({ ...ending.win, shopperId })
      watch.won(ending.win, token)
    } else if (ending.inDoubt) inDoubt.push(shopperId)
    if (ending.kind === 'gave-up') crowd.gaveUp += 1
    done += 1
    step.to(done, `${winners.length} won`)
  }
  await Promise.all(
    shoppers.map(async (shopper) => {
      const onTry = (made: Try) => void tries.push(made)
      const ending = await clickUntilDone(shopper, { ...request, onTry, random, patienceMs })
      record(shopper, ending)
      waitsMs.push(performance.now() - from)
    }),
  )
  crowd.seconds = (performance.now() - from) / 1000
  step.end()
  return crowd
}

/** Returns the shoppers without a win. */
export function losersOf(shoppers: VirtualShopper[], { winners }: Crowd<unknown>): VirtualShopper[] {
  const won = new Set(winners.map(({ shopperId }) => shopperId))
  return shoppers.filter(({ shopperId }) => !won.has(shopperId))
}

/** Adds the results of the losers' second attempt. */
export function addCrowd<Win>(crowd: Crowd<Win>, again: Crowd<Win>): void {
  crowd.winners.push(...again.winners)
  crowd.gaveUp = again.gaveUp
  crowd.inDoubt = again.inDoubt
  for (const made of again.tries) crowd.tries.push(made)
  crowd.waitsMs.push(...again.waitsMs)
  crowd.seconds += again.seconds
}
