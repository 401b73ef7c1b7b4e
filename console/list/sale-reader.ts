/**
 * Polls the first page of a search, and reads older pages until a screen is full. Ignores answers to a former search. Reads
 * the numbers of sales less often, because each selling sale costs two queries of the table and two reads of Redis.
 */
import type { SalesPage } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { comesAfter, placeInCursor } from '../../core/sale/sale-cursor.ts'
import { type SaleSearch, type SalesListQuery, salesPerPage } from '../../core/sale/sale-search.ts'

type Answered<Reply> = { ok: true; value: SalesPage } | { ok: false; reply: Reply }

/** `Reply` is how a call fails. */
type Surroundings<Reply> = {
  ask(page: SalesListQuery): Promise<Answered<Reply>>
  /** Shows what was found; `isReading`: older sales are being read. */
  draw(list: LoadedSales, isReading: boolean): void
  /** Says why a call failed; true when the list is no longer in sight. */
  fail(reply: Reply): boolean
  /** Calls `look` some seconds later, and returns what cancels that. */
  later(look: () => void): () => void
}

export function saleReader<Reply>({ ask, draw, fail, later }: Surroundings<Reply>) {
  let search: SaleSearch = {}
  let list: LoadedSales | undefined
  /** How many sales are read without a press of "More". */
  let wanted = salesPerPage
  /** Counts the searches. */
  let searchCount = 0
  let filling = 0
  let cancel = (): void => undefined

  function begin(next: SaleSearch): void {
    leave()
    search = next
    list = undefined
    wanted = salesPerPage
    void look()
  }

  async function look(): Promise<void> {
    const mine = searchCount
    const answer = await ask(search)
    if (mine !== searchCount) return
    if (answer.ok) {
      list = withFirstPage(list, answer.value)
      await fill()
    } else if (fail(answer.reply)) return
    if (mine === searchCount) cancel = later(() => void look())
  }

  /** Reads older sales while fewer than `wanted` are found. */
  async function fill(): Promise<void> {
    const mine = searchCount
    const isFilling = filling === mine
    filling = mine
    while (!isFilling && list !== undefined && list.next !== null && list.sales.length < wanted) {
      draw(list, true)
      const from = list.next
      const answer = await ask({ ...search, after: from })
      if (mine !== searchCount) return
      if (!answer.ok) {
        if (fail(answer.reply)) return leave()
        break
      }
      // The first page may have been read meanwhile, and where more begins may be another place then.
      if (list.next === from) list = withNextPage(list, answer.value)
    }
    if (!isFilling) filling = 0
    if (list !== undefined) draw(list, isFilling)
  }

  function leave(): void {
    searchCount += 1
    cancel()
  }

  return {
    begin,
    /** Reads more sales than are shown. */
    more(): void {
      wanted = (list?.sales.length ?? 0) + salesPerPage
      void fill()
    },
    /** Reads no older sales until more are asked for. */
    stop(): void {
      wanted = 0
    },
    leave,
  }
}

/** The shown sales in order: the first page and older pages. `next` is the cursor for more. */
export type LoadedSales = Pick<SalesPage, 'sales' | 'numbers' | 'next'>

/**
 * `list` with the first page as it is now. A sale that belongs on that page and is missing from it
 * was deleted, or is not what the search looks for any more; one that a new sale pushed off that page
 * stays, so that no gap opens above the pages that were loaded.
 */
export function withFirstPage(list: LoadedSales | undefined, page: SalesPage): LoadedSales {
  const end = page.next === null ? undefined : placeInCursor(page.next)
  if (list === undefined) return page
  if (end === undefined) return { ...page, ...withNumbers(list, page) }
  const rest = list.sales.filter((sale) => comesAfter(sale, end))
  // Nothing below is shown: the page itself says where more begins. The short page of a search does not:
  // the list has looked further.
  if (rest.length === 0 && page.sales.length >= salesPerPage) return { ...page, ...withNumbers(list, page) }
  return { ...withNumbers(list, page), sales: merged(page.sales, rest), next: further(list.next, page.next) }
}

/** `list` with the page that was asked for at its `next`. */
export function withNextPage(list: LoadedSales, page: SalesPage): LoadedSales {
  return { ...withNumbers(list, page), sales: merged(page.sales, list.sales), next: page.next }
}

/** The numbers of both, those of the page where it has some. */
const withNumbers = (list: LoadedSales, page: SalesPage) =>
  (list.numbers ?? page.numbers) === undefined ? {} : { numbers: { ...list.numbers, ...page.numbers } }

/** The one of two cursors that is closer to the end of the list, null being the end. */
function further(one: string | null, other: string | null): string | null {
  const [a, b] = [one, other].map((cursor) => (cursor === null ? undefined : placeInCursor(cursor)))
  if (a === undefined || b === undefined) return null
  return comesAfter(a, b) ? one : other
}

/** Each sale once, as `newer` has it, the latest start first. */
function merged(newer: readonly Sale[], older: readonly Sale[]): Sale[] {
  const byId = new Map<SaleId, Sale>([...older, ...newer].map((sale) => [sale.saleId, sale]))
  return [...byId.values()].sort((a, b) => (comesAfter(a, b) ? 1 : -1))
}

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
    /** Makes the next poll read all numbers. */
    restart(): void {
      allAt = Number.NEGATIVE_INFINITY
    },
    next(): NumbersWanted {
      if (now() >= allAt + allEveryMs) {
        allAt = now()
        return true
      }
      looks += 1
      const rounds = Math.max(1, Math.ceil((moving.list + moving.near) / countedPerLook))
      return looks % rounds === 0 && 'moving'
    },
    /** Notes how many sales an answer counted, in the list or above it. */
    counted(place: keyof typeof moving, wanted: NumbersWanted, { numbers = {} }: Pick<SalesPage, 'numbers'>): void {
      if (wanted === 'moving') moving[place] = Object.keys(numbers).length
    },
  }
}
