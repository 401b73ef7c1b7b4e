/**
 * Who clicks when. A shopper clicks at the start, comes again when the answer says so, and after
 * "sold out" twice more; some click before the start as well. A robot clicks ten times a second.
 */
import type { Answered } from '../fleet/fleet.ts'
import { spelled } from '../statistics.ts'

/** `number` is that of the shopper; a robot has no session. */
export type Clicker = { kind: 'shopper' | 'robot'; number: number; left: number }

/** 1,000,000 losing clicks without a spread: each shopper clicks three times, some once before. */
export const usualShoppers = 335_000
/** With this share, half of all clicks are those of robots. */
const robotsPerShopper = 0.03

/** How long before the start the clicks begin, ms. */
export const aheadMs = 2000
const impatientShare = 0.05
/** The first clicks after the start: half of them in the first 1.4 s, none after ten. */
const meanReactionMs = 2000
const longestReactionMs = 10_000
/** The most that a page adds to the wait that it was asked for, ms. */
const jitterMs = 1000
const clicksAfterSoldOut = 2
const lateMs = { least: 1000, more: 3000 }
const robotEveryMs = 100
const clicksOfRobot = 100

export const clickModel = (shoppers: number) =>
  [
    `${spelled(shoppers)} shoppers, each with a pass`,
    `${impatientShare * 100} % click once in the ${aheadMs / 1000} s before the start`,
    `all click after it, on average after ${meanReactionMs / 1000} s, the last after ${longestReactionMs / 1000} s`,
    `then as Retry-After says and up to ${jitterMs / 1000} s later`,
    `after "sold out" ${clicksAfterSoldOut} times more, 1 to 4 s apart`,
    `with robots: half of these shoppers and ${spelled((shoppers / 2) * robotsPerShopper)} without a pass, ${clicksOfRobot} clicks each, ${robotEveryMs} ms apart`,
  ].join('; ')

/** Puts the first clicks of all on the agenda, in ms since the clicks began. */
export function gatherClickers(
  agenda: Agenda<Clicker>,
  random: () => number,
  { shoppers, hasRobots }: { shoppers: number; hasRobots: boolean },
): void {
  for (let number = 0; number < shoppers; number += 1) {
    const shopper: Clicker = { kind: 'shopper', number, left: clicksAfterSoldOut }
    const reaction = Math.min(-Math.log(1 - random()) * meanReactionMs, longestReactionMs)
    agenda.add(aheadMs + reaction, shopper)
    // This click has no successor: the shopper comes again at the start.
    if (random() < impatientShare) agenda.add(random() * aheadMs, { ...shopper, left: 0 })
  }
  if (!hasRobots) return
  for (let number = 0; number < shoppers * robotsPerShopper; number += 1) {
    agenda.add(random() * robotEveryMs, { kind: 'robot', number, left: clicksOfRobot - 1 })
  }
}

/** Puts the next click of this clicker on the agenda, if there is one; `at` is the time of the last. */
export function clickAgain(
  agenda: Agenda<Clicker>,
  clicker: Clicker,
  { at, answer, random }: { at: number; answer: Pick<Answered, 'code' | 'body'>; random: () => number },
): void {
  if (clicker.kind === 'robot') {
    if (clicker.left > 0) agenda.add(at + robotEveryMs, { ...clicker, left: clicker.left - 1 })
    return
  }
  const waitSeconds = retryAfterIn(answer.body)
  if (waitSeconds !== undefined) agenda.add(at + waitSeconds * 1000 + random() * jitterMs, clicker)
  else if (answer.code === 'sold-out' && clicker.left > 0) {
    agenda.add(at + lateMs.least + random() * lateMs.more, { ...clicker, left: clicker.left - 1 })
  }
}

function retryAfterIn(body: string): number | undefined {
  const seconds = /"retryAfterSeconds":(\d+)/.exec(body)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Events in the order of their time: lists by millisecond, because a million of them wait at once. */
export type Agenda<T> = {
  /** `at` in ms since the agenda's beginning; what is past comes next. */
  add(at: number, event: T): void
  /** The next event with its time; undefined while there are no events. */
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
