/** In what the shoppers of a rush with `--mode` differ: their network, bots among them, and people with several accounts. */

/** `tripMs`: from a request that leaves to its answer that arrives, without the time of the shop. A person has `accounts`. */
export type Traits = { tripMs: number; isBot: boolean; person: number; accounts: number }

/** A near, a usual and a far network; a third of all people have each. */
export const tripsMs = [5, 50, 200] as const

/** A bot asks again after this and heeds no wait that the shop asks for: a hundred times as often as the page. */
export const botPauseMs = 100

const botShare = 0.1

/** One person in twenty has five accounts, so about one account in five is of such a person. */
export const manyAccounts = 5
const manyShare = 0.05

/** The traits of so many accounts; the accounts of a person are neighbours. */
export function traitsOf(count: number, random: () => number): Traits[] {
  const all: Traits[] = []
  for (let person = 0; all.length < count; person += 1) {
    const tripMs = tripsMs[Math.floor(random() * tripsMs.length)] ?? tripsMs[0]
    const isBot = random() < botShare
    const wanted = random() < manyShare ? manyAccounts : 1
    const accounts = Math.min(wanted, count - all.length)
    for (let account = 0; account < accounts; account += 1) all.push({ tripMs, isBot, person, accounts })
  }
  return all
}
