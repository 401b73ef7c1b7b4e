import { describe, expect, it } from 'vitest'
import { type LoadedSales, saleReader } from '../../../console/list/sale-reader.ts'
import type { SalesPage } from '../../../core/api/control-answers.ts'
import { cursorOfSale } from '../../../core/sale/sale-cursor.ts'
import type { SalesListQuery } from '../../../core/sale/sale-search.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'

type Answer = { ok: true; value: SalesPage } | { ok: false; reply: string }

const saleAt = (startsAt: number) => aSale({ saleId: saleIdOf(`sale-${startsAt}`), startsAt })
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)

/** A page of the sales that start then; `next` is the start of the last sale that was read. */
function page(starts: readonly number[], next: number | null): Answer {
  const cursor = next === null ? null : cursorOfSale(saleAt(next))
  return { ok: true, value: { sales: starts.map(saleAt), next: cursor } }
}

const lost: Answer = { ok: false, reply: 'lost' }

/** A reader whose calls are answered by hand, in any order. */
function aReader(isGone = false) {
  const calls: { asked: SalesListQuery; answer: (answer: Answer) => Promise<void> }[] = []
  const drawn: { list: LoadedSales; isReading: boolean }[] = []
  const looks: (() => void)[] = []
  let failures = 0
  const reader = saleReader({
    ask: (asked) =>
      new Promise<Answer>((resolve) => {
        const answer = async (value: Answer) => {
          resolve(value)
          for (let i = 0; i < 5; i++) await Promise.resolve()
        }
        calls.push({ asked, answer })
      }),
    draw: (list, isReading) => void drawn.push({ list, isReading }),
    fail(_reply: string) {
      failures += 1
      return isGone
    },
    later(look) {
      looks.push(look)
      return () => void looks.splice(looks.indexOf(look), 1)
    },
  })
  return {
    reader,
    calls,
    looks,
    failures: () => failures,
    answer: (n: number, value: Answer) => calls[n]?.answer(value),
    shown: () => drawn.at(-1)?.list.sales.map(({ startsAt }) => startsAt),
    isReading: () => drawn.at(-1)?.isReading,
    asked: (n: number) => calls[n]?.asked,
  }
}

/** Its first page has one sale, and there are more. */
async function aSearch() {
  const it = aReader()
  it.reader.begin({ find: 'mug' })
  await it.answer(0, page([900], 700))
  return it
}

describe('the reader of the list of sales', () => {
  it('drops the answer to an earlier search that arrives after that to a newer one', async () => {
    const it = aReader()
    it.reader.begin({ find: 'mu' })
    it.reader.begin({ find: 'mug' })
    await it.answer(1, page([7], null))
    await it.answer(0, page([9, 8, 7], null))
    expect(it.shown()).toEqual([7])
    expect(it.looks).toHaveLength(1)
  })

  it('reads on until a screen is filled or the list ends, by itself', async () => {
    const it = await aSearch()
    expect([it.shown(), it.isReading()]).toEqual([[900], true])
    expect(it.asked(1)).toEqual({ find: 'mug', after: cursorOfSale(saleAt(700)) })
    await it.answer(1, page([], 400))
    await it.answer(2, page([5], null))
    expect([it.shown(), it.isReading()]).toEqual([[900, 5], false])
    expect(it.calls).toHaveLength(3)
  })

  it('drops an older page of an earlier search', async () => {
    const it = await aSearch()
    it.reader.begin({ state: 'live' })
    await it.answer(2, page([3], null))
    await it.answer(1, page([500], null))
    expect([it.shown(), it.isReading()]).toEqual([[3], false])
    expect(it.calls).toHaveLength(3)
  })

  it('stops when it is asked to, and goes on from there', async () => {
    const it = await aSearch()
    it.reader.stop()
    await it.answer(1, page([600], 400))
    expect([it.shown(), it.isReading(), it.calls.length]).toEqual([[900, 600], false, 2])
    // A refresh does not go on either.
    it.looks[0]?.()
    await it.answer(2, page([900], 700))
    expect([it.shown(), it.calls.length]).toEqual([[900, 600], 3])
    it.reader.more()
    expect(it.asked(3)).toEqual({ find: 'mug', after: cursorOfSale(saleAt(400)) })
    await it.answer(3, page([], null))
    expect([it.shown(), it.isReading()]).toEqual([[900, 600], false])
  })

  it('refreshes a finished search by its first page alone, also when that finds nothing', async () => {
    const it = aReader()
    it.reader.begin({ find: 'mug' })
    await it.answer(0, page([], 700))
    await it.answer(1, page([], null))
    expect([it.shown(), it.isReading()]).toEqual([[], false])
    it.looks[0]?.()
    await it.answer(2, page([950], 700))
    expect([it.shown(), it.isReading(), it.calls.length]).toEqual([[950], false, 3])
    it.looks[1]?.()
    await it.answer(3, page([], 700))
    expect([it.shown(), it.calls.length]).toEqual([[], 4])
  })

  it('loads one more page of the whole list for each time it is asked', async () => {
    const it = aReader()
    it.reader.begin({})
    await it.answer(0, page(range(300, 251), 251))
    expect([it.shown()?.length, it.isReading(), it.calls.length]).toEqual([50, false, 1])
    it.reader.more()
    it.reader.more()
    await it.answer(1, page(range(250, 201), 201))
    expect([it.shown()?.length, it.isReading(), it.calls.length]).toEqual([100, false, 2])
  })

  it('tries again after a lost answer, and keeps what it has', async () => {
    const it = await aSearch()
    await it.answer(1, lost)
    expect([it.shown(), it.isReading(), it.failures(), it.looks.length]).toEqual([[900], false, 1, 1])
    it.looks[0]?.()
    await it.answer(2, page([900], 700))
    await it.answer(3, page([600], null))
    expect([it.shown(), it.isReading()]).toEqual([[900, 600], false])
  })

  it('stops for good when the session has ended', async () => {
    const it = aReader(true)
    it.reader.begin({ find: 'mug' })
    await it.answer(0, page([900], 700))
    await it.answer(1, lost)
    expect(it.looks).toEqual([])
    expect(it.isReading()).toBe(true)
  })
})
