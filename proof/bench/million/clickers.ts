/**
 * Models when clients click. A shopper clicks at the start, clicks again after `Retry-After`, and twice more after
 * "sold out"; some also click before the start. A robot clicks ten times a second.
 */
import type { FleetAnswer } from '../fleet/fleet.ts'
import { formatCount } from '../statistics.ts'

/**
 * `number` is the number of the shopper; a robot has no session. `left` counts the clicks after "sold out", or those of
 * a robot.
 */
export type Clicker = { kind: 'shopper' | 'robot'; number: number; left: number }

/** Gives 1,000,000 losing clicks without a spread: each shopper clicks three times, some also once before the start. */
export const usualShoppers = 335_000
/** With this share, robots send half of all clicks. */
const robotsPerShopper = 0.03

/** The clicks begin this long before the start, ms. */
export const aheadMs = 2000
const impatientShare = 0.05
/** Half of the first clicks are within 1.4 s of the start, none after 10 s. */
const meanReactionMs = 2000
const maxReactionMs = 10_000
/** A page adds at most this to the requested wait, ms. */
const jitterMs = 1000
const clicksAfterSoldOut = 2
const lateMs = { min: 1000, range: 3000 }
const robotEveryMs = 100
const clicksOfRobot = 100

export const clickModel = (shoppers: number) =>
  [
    `${formatCount(shoppers)} shoppers, each with a pass`,
    `${impatientShare * 100} % click once in the ${aheadMs / 1000} s before the start`,
    `all click after it, on average after ${meanReactionMs / 1000} s, the last after ${maxReactionMs / 1000} s`,
    `then as Retry-After says and up to ${jitterMs / 1000} s later`,
    `after "sold out" ${clicksAfterSoldOut} times more, 1 to 4 s apart`,
    `with robots: half of these shoppers and ${formatCount((shoppers / 2) * robotsPerShopper)} without a pass, ${clicksOfRobot} clicks each, ${robotEveryMs} ms apart`,
  ].join('; ')

/** Adds the first click of each clicker to the agenda, in ms since the clicks began. */
export function addClickers(
  agenda: Agenda<Clicker>,
  random: () => number,
  { shoppers, hasRobots }: { shoppers: number; hasRobots: boolean },
): void {
  for (let number = 0; number < shoppers; number += 1) {
    const shopper: Clicker = { kind: 'shopper', number, left: clicksAfterSoldOut }
    const reaction = Math.min(-Math.log(1 - random()) * meanReactionMs, maxReactionMs)
    agenda.add(aheadMs + reaction, shopper)
    // This click has no successor: the shopper clicks again at the start.
    if (random() < impatientShare) agenda.add(random() * aheadMs, { ...shopper, left: 0 })
  }
  if (!hasRobots) return
  for (let number = 0; number < shoppers * robotsPerShopper; number += 1) {
    agenda.add(random() * robotEveryMs, { kind: 'robot', number, left: clicksOfRobot - 1 })
  }
}

/** Adds the next click of this clicker to the agenda, if there is one; `at` is the time of the last. */
export function clickAgain(
  agenda: Agenda<Clicker>,
  clicker: Clicker,
  { at, answer, random }: { at: number; answer: Pick<FleetAnswer, 'code' | 'body'>; random: () => number },
): void {
  if (clicker.kind === 'robot') {
    if (clicker.left > 0) agenda.add(at + robotEveryMs, { ...clicker, left: clicker.left - 1 })
    return
  }
  const waitSeconds = retryAfterIn(answer.body)
  if (waitSeconds !== undefined) agenda.add(at + waitSeconds * 1000 + random() * jitterMs, clicker)
  else if (answer.code === 'sold-out' && clicker.left > 0) {
    agenda.add(at + lateMs.min + random() * lateMs.range, { ...clicker, left: clicker.left - 1 })
  }
}

function retryAfterIn(body: string): number | undefined {
  const seconds = /"retryAfterSeconds":(\d+)/.exec(body)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** A priority queue of events: one list per millisecond, because it holds a million events at once. */
export type Agenda<T> = {
  /** Adds an event at `at` ms since the agenda's beginning. An event in the past is returned next. */
  add(at: number, event: T): void
  /** Removes and returns the next event with its time; undefined when there are none. */
  next(): { at: number; event: T } | undefined
}

export function openAgenda<T>(): Agenda<T> {
  const lists: (T[] | undefined)[] = []
  let present = 0
  return {
    add(at, event) {
      const index = Math.max(present, Math.floor(at))
      const list = lists[index]
      if (list === undefined) lists[index] = [event]
      else list.push(event)
    },
    next() {
      for (; present < lists.length; present += 1) {
        const event = lists[present]?.pop()
        if (event !== undefined) return { at: present, event }
        lists[present] = undefined
      }
      return undefined
    },
  }
}
