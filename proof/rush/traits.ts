/** In what the shoppers of a rush with `--mode` differ: their network, bots among them, and people with several accounts. */

import type { Mode } from './options.ts'

/**
 * `tripMs`: from a request that leaves to its answer that arrives, without the time of the shop. `isHasty`: heeds no wait.
 * A person has `accounts`.
 */
export type Traits = { tripMs: number; isBot: boolean; isHasty: boolean; person: number; accounts: number }

/** A near, a usual and a far network; a third of all people have each. */
export const tripsMs = [5, 50, 200] as const

/** A hasty bot asks again after this and heeds no wait that the shop asks for: a hundred times as often as the page. */
export const hastyPauseMs = 100

const botShare = 0.1

/** One person in twenty has five accounts, so about one account in five is of such a person. */
export const manyAccounts = 5
const manyShare = 0.05

/**
 * The traits of so many accounts; the accounts of a person are neighbours. A bot is hasty where the first click wins. A
 * draw keeps the unit of an offer, and the gate would refuse a hasty bot for ever once all places were taken (memory.ts of the gate).
 */
export function traitsOf(count: number, mode: Mode, random: () => number): Traits[] {
  const all: Traits[] = []
  for (let person = 0; all.length < count; person += 1) {
    const tripMs = tripsMs[Math.floor(random() * tripsMs.length)] ?? tripsMs[0]
    const isBot = random() < botShare
    const wanted = random() < manyShare ? manyAccounts : 1
    const accounts = Math.min(wanted, count - all.length)
    const one: Traits = { tripMs, isBot, isHasty: isBot && mode !== 'draw', person, accounts }
    for (let account = 0; account < accounts; account += 1) all.push(one)
  }
  return all
}
