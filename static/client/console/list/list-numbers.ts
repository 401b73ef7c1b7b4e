/**
 * The numbers of the sales in the list: which of them each look asks for, because each sale that sells costs two
 * queries of the table and two reads of Redis, and how they read.
 */
import type { SaleNumbers, SalesPage } from '../../../../core/api/control-answers.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { type Speaker, sayFor } from '../lib/kind-words.ts'

/** The numbers of a sale whose orders are all paid, cancelled or refunded change when staff changes them: they can be later. */
const allEveryMs = 30_000

/** Moving sales that one look counts on average: with twice as many every second look counts them, and so on. */
const countedPerLook = 20

/** All numbers, those of sales whose orders may change by themselves, or none. */
export type NumbersWanted = true | 'moving' | false

export function numberLooks(now: () => number) {
  let allAt = Number.NEGATIVE_INFINITY
  let looks = 0
  const moving = { list: 0, near: 0 }
  return {
    /** The next look asks for all numbers. */
    restart(): void {
      allAt = Number.NEGATIVE_INFINITY
    },
    next(): NumbersWanted {
      if (now() >= allAt + allEveryMs) {
        allAt = now()
        return true
      }
      looks += 1
      const turns = Math.max(1, Math.ceil((moving.list + moving.near) / countedPerLook))
      return looks % turns === 0 && 'moving'
    },
    /** Notes how many sales an answer counted, in the list or above it. */
    counted(place: keyof typeof moving, wanted: NumbersWanted, { numbers = {} }: Pick<SalesPage, 'numbers'>): void {
      if (wanted === 'moving') moving[place] = Object.keys(numbers).length
    },
  }
}

/** What was sold, what is left, and the money, each with its name. What is not known is a dash. */
export function numbersShown(
  voice: Pick<Speaker, 't' | 'locale' | 'money'>,
  { kind, currency }: Sale,
  numbers: SaleNumbers | undefined,
): (readonly [name: string, value: string])[] {
  const say = sayFor(voice, kind)
  const count = (n: number | null | undefined) => {
    if (n === null || n === undefined) return '–'
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }
  const revenue = numbers?.revenue ?? null
  const money = kind === 'red-packet' ? say('live.claimed') : say('live.revenue')
  return [
    [say('live.sold'), count(numbers?.sold)],
    [say('live.remaining'), count(numbers?.left)],
    ...(kind === 'coupon' ? [] : [[money, revenue === null ? '–' : voice.money(revenue, currency)] as const]),
  ]
}
