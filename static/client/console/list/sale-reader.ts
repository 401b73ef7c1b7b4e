/**
 * Reads the sales that a search finds: the first page again and again, and older pages until a screen
 * is filled. An answer counts only while its search is the present one.
 */
import type { SalesPage } from '../../../../core/api/control-answers.ts'
import { type SaleSearch, type SalesAsked, salesPerPage } from '../../../../core/sale/sale-search.ts'
import { type SaleList, withFirstPage, withNextPage } from './sale-list.ts'

type Answered<Reply> = { ok: true; value: SalesPage } | { ok: false; reply: Reply }

/** `Reply` is how a call fails. */
type Surroundings<Reply> = {
  ask(page: SalesAsked): Promise<Answered<Reply>>
  /** Shows what was found; `isReading`: older sales are being read. */
  draw(list: SaleList, isReading: boolean): void
  /** Says why a call failed; true when the list is no longer in sight. */
  fail(reply: Reply): boolean
  /** Calls `look` some seconds later, and returns what cancels that. */
  later(look: () => void): () => void
}

export function saleReader<Reply>({ ask, draw, fail, later }: Surroundings<Reply>) {
  let search: SaleSearch = {}
  let list: SaleList | undefined
  /** How many sales are read without a press of "More". */
  let wanted = salesPerPage
  /** Counts the searches. */
  let turn = 0
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
    const mine = turn
    const answer = await ask(search)
    if (mine !== turn) return
    if (answer.ok) {
      list = withFirstPage(list, answer.value)
      await fill()
    } else if (fail(answer.reply)) return
    if (mine === turn) cancel = later(() => void look())
  }

  /** Reads older sales while fewer than `wanted` are found. */
  async function fill(): Promise<void> {
    const mine = turn
    const isFilling = filling === mine
    filling = mine
    while (!isFilling && list !== undefined && list.next !== null && list.sales.length < wanted) {
      draw(list, true)
      const from = list.next
      const answer = await ask({ ...search, after: from })
      if (mine !== turn) return
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
    turn += 1
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
