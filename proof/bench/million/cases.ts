/** The cases of a million losing clicks: what the sale asks for, and how late the store is. */

export type Case = {
  name: string
  spreadSeconds: number
  /** How much later than its API the functions read the store, ms. */
  delayMs: number
  /** Clients without a pass that click ten times a second: they send half of the clicks. */
  robots: boolean
  /** Whether 98 % of its losing clicks must end before the gates. */
  mustLose: boolean
  /** Played unless all are asked for. */
  isUsual: boolean
}

const people = (spreadSeconds: number, delaySeconds: number): Case => ({
  name: `spread ${spreadSeconds} s, store ${delaySeconds} s late`,
  spreadSeconds,
  delayMs: delaySeconds * 1000,
  robots: false,
  mustLose: spreadSeconds === 300,
  isUsual: delaySeconds === 5 && (spreadSeconds === 300 || spreadSeconds === 0),
})

const withRobots = (one: Case): Case => ({
  ...one,
  name: `${one.name}, robots`,
  robots: true,
  isUsual: one.mustLose,
})

/** No more than 300 s, which is the longest spread. */
export const cases: readonly Case[] = [
  people(300, 5),
  people(60, 0.5),
  people(60, 5),
  people(60, 10),
  people(10, 5),
  people(0, 5),
  withRobots(people(300, 5)),
  withRobots(people(0, 5)),
]
