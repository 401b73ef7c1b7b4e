/** Which numbers each look at the list asks for: each sale that sells costs two queries of the table and two reads of Redis. */
import type { SalesPage } from '../../../../core/api/control-answers.ts'

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
