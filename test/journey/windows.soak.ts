/** One sale in two windows, a minute and more each, advanced by the clock alone (R7). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { SaleWindow } from '../../core/sale/sale.ts'
import { ownSystem } from './own-stack.ts'
import { type Answer, buyWhenThereIsRoom, eventually, openSale, pointerOf, startTokenOf, type Won } from './support.ts'

const { stack, system } = await ownSystem({ challengeCost: 1 })
// A running tick finds a new sale within ten seconds, one that begins finds it at once.
const ticking = system.keepTicking(3000)
afterAll(() => ticking.end())

/** Windows with a gap between them, each long enough for its purchases on a busy machine. */
function windowsFromNow(stocks: readonly [number, number]): [SaleWindow, SaleWindow] {
  const now = Date.now()
  return [
    { startsAt: now - 1000, endsAt: now + 60_000, stock: stocks[0] },
    { startsAt: now + 90_000, endsAt: now + 210_000, stock: stocks[1] },
  ]
}

async function openIn(windows: readonly [SaleWindow, SaleWindow]): Promise<{ saleId: string; startToken: string }> {
  const [{ startsAt, endsAt, stock }] = windows
  return openSale(stack, { windows, startsAt, endsAt, stock, limitPerShopper: 5 })
}

const until = (time: number) => sleep(Math.max(0, time - Date.now()))

/** The first answer of that code to a repeated request, and its time. */
async function answerOf(code: string, click: () => Promise<Answer<Won>>): Promise<Answer<Won> & { at: number }> {
  const seen = new Set<string>()
  try {
    return await eventually(async () => {
      const answer = await click()
      const at = Date.now()
      const said = String(answer.body.code ?? answer.body.status)
      seen.add(said)
      return said === code ? { ...answer, at } : undefined
    })
  } catch (cause) {
    throw new Error(`not ${code} but ${[...seen].join(', ')}`, { cause })
  }
}

/** Clicks of a shopper for one unit: however often it is sent, because an answer was lost on a busy machine. */
function clicksOf(saleId: string, startToken: string) {
  return (name: string, token = startToken): (() => Promise<Answer<Won>>) => {
    const key = randomUUID()
    return async () => buyWhenThereIsRoom(stack, saleId, { token: await stack.token(name), startToken: token, key })
  }
}

describe.concurrent('a sale in two windows', () => {
  it('sells in both, pauses between them, and opens the second with a new token and the rest of the stock (R7)', async () => {
    const windows = windowsFromNow([3, 2])
    const [first, second] = windows
    const { saleId, startToken } = await openIn(windows)
    const click = clicksOf(saleId, startToken)

    await answerOf('reserved', click('ann'))
    expect(await pointerOf(stack, saleId)).toMatchObject({
      phase: 'open',
      endsAt: first.endsAt,
      nextStartsAt: second.startsAt,
    })

    await until(first.endsAt + 50)
    const early = await click('bob')()
    expect(early).toMatchObject({ status: 425, body: { code: 'not-started' } })
    await eventually(async () => {
      const { phase, startsAt, nextStartsAt, remaining } = await pointerOf(stack, saleId)
      expect(phase, 'never ended, while another window comes').not.toBe('ended')
      const hasTurned = startsAt === second.startsAt && nextStartsAt === null
      return phase === 'scheduled' && hasTurned && remaining === 4 ? true : undefined
    })
    expect((await click('bob')()).body.code, 'when the sale has turned as well').toBe('not-started')

    await until(second.startsAt)
    const fresh = await startTokenOf(stack, saleId)
    expect(fresh).not.toBe(startToken)
    const won = await answerOf('reserved', click('bob', fresh))
    console.log(`the second window sold ${won.at - second.startsAt} ms after its start`)
    expect(won.body.remaining, 'two that were left, two that are new, less this one').toBe(3)
    expect(await click('cat')(), 'with the token of the first window').toMatchObject({
      status: 409,
      body: { code: 'stale-page' },
    })
    for (const name of ['cat', 'dan', 'eve']) await answerOf('reserved', click(name, fresh))
    await answerOf('sold-out', click('fay', fresh))
    expect(Date.now(), 'all of this in the second window').toBeLessThan(second.endsAt)

    await until(second.endsAt + 50)
    expect(await click('gus', fresh)()).toMatchObject({ status: 410, body: { code: 'ended' } })
  }, 300_000)
})
