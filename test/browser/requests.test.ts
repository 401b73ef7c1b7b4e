/**
 * The requests of one shopper's browser, phase by phase, counted where they arrive. The page waits ten minutes in
 * virtual time; what it asks for is answered by a whole system.
 */
import { readdirSync } from 'node:fs'
import type { Page, Request } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { fetchPass } from '../../cli/pass.ts'
import { pageRequests, targets } from '../../cli/preflight/page-requests.ts'
import { pollsBetween } from '../../cli/preflight/plan.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { buy, call, eventually, openSale, pointerOf } from '../journey/support.ts'
import { phone } from './browser.ts'
import { type CountingFront, startCountingFront } from './counting-front.ts'
import { openShop } from './shop.ts'
import { newVisitor, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const waitSeconds = 600
/** One that browsers keep, as pictures of a shop are. */
const picture = readdirSync(`${dist}/site/assets`).find((file) => /^mug\.\w+\.svg$/.test(file))
const polls = (paths: readonly string[]) => paths.filter((path) => path.endsWith('/current.json')).length
const list = (paths: readonly string[]) => paths.join('\n')

/** The page, what it has requested, and the way on in its time. */
type Play = {
  page: Page
  front: CountingFront
  loaded: string[]
  waited: string[]
  pass(seconds: number): Promise<void>
  /** From now on the page sees the pointer as it is. */
  reveal(): void
}

/**
 * A sale of one unit that started a moment ago, and a page that lives ten minutes before its start: it loads, and
 * waits until its clock says so. With `isTaken` another shopper has already bought the unit.
 */
async function wait(name: string, isTaken: boolean): Promise<Play> {
  const { saleId, startToken } = await openSale(stack, {
    stock: 1,
    pictures: [{ src: `/assets/${picture}`, alt: 'A mug' }],
  })
  if (isTaken) {
    await buy(stack, saleId, { token: await stack.token(`${name}-rival`), startToken })
    await eventually(async () => ((await pointerOf(stack, saleId)).remaining === 0 ? true : undefined))
  }
  const { startsAt } = await pointerOf(stack, saleId)
  let aheadMs = startsAt - waitSeconds * 1000 - Date.now()
  let left: number | undefined = 1
  const now = () => Date.now() + aheadMs
  const front = await startCountingFront(stack.url, { now, left: () => left })
  afterAll(() => front.stop())

  const page = await newVisitor(browser, phone)
  const answered = answersOf(page)
  await page.clock.install({ time: now() })
  // The cookies of a sign-in: signing in on a page would already load a part of this one.
  const token = await stack.token(name)
  const pass = (await fetchPass(stack.url, token)) ?? ''
  const cookies = { sluice_session: token, sluice_who: name, sluice_pass: pass }
  await page
    .context()
    .addCookies(Object.entries(cookies).map(([key, value]) => ({ name: key, value, url: front.url })))
  await page.goto(`${front.url}/sales/${saleId}/`)
  await page.locator('#main[data-phase=scheduled]').waitFor()
  await page.locator('#buy[data-state=early]').waitFor()
  const loaded = front.taken()

  /** A second at a time: the deadline of a request passes in the page's time as well. */
  const passUntil = async (end: number) => {
    while (now() < end) {
      aheadMs += 1000
      await page.clock.runFor(1000)
      await answered()
    }
  }
  await passUntil(startsAt + 1000)
  await waitUntilLit(page)
  return {
    ...{ page, front, loaded, waited: front.taken() },
    pass: (seconds) => passUntil(now() + seconds * 1000),
    reveal: () => {
      left = undefined
    },
  }
}

/** Resolves when all that the page has requested is answered. */
function answersOf(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    for (const request of open) await (await request.response())?.finished()
  }
}

/** Stops the page's clock: from now on the page reads its order again when the test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
}

/** Lets the page read its order once more, after the order itself has reached one of the states. */
async function readAgain(page: Page, token: string, statuses: readonly string[]): Promise<void> {
  const orderId = new URL(page.url()).searchParams.get('id') ?? ''
  await eventually(async () => {
    const { body } = await call<OrderView>(stack, `/api/orders/${orderId}`, { token })
    return statuses.includes(String(body.status)) ? true : undefined
  })
  await page.clock.runFor(3000)
  await page.locator(statuses.map((status) => `#order[data-status=${status}]`).join()).waitFor()
}

describe('the requests of one shopper', () => {
  it('are at most 20 for ten minutes of waiting and a lost sale, as the preflight counts them (C3)', async () => {
    const { page, front, loaded, waited, pass, reveal } = await wait('ada', true)
    expect(loaded, list(loaded)).toHaveLength(pageRequests.firstLoad)
    expect(waited, list(waited)).toHaveLength(polls(waited))
    const planned = pollsBetween({ isFlippedLate: false }, -waitSeconds, 0) - 1
    expect(Math.abs(waited.length - planned), `${waited.length} polls`).toBeLessThanOrEqual(1)

    await page.click('#buy')
    await page.locator('#main[data-phase=sold-out]').waitFor()
    reveal()
    const clicked = front.taken()
    expect(clicked, list(clicked)).toHaveLength(pageRequests.click)

    await pass(60)
    const after = front.taken()
    expect(after, list(after)).toHaveLength(polls(after))
    expect(after.length).toBeGreaterThanOrEqual(1)
    expect(await page.locator('#main').getAttribute('data-phase')).toBe('sold-out')
    const counts = [loaded, waited, clicked, after].map(({ length }) => length)
    console.log('lost: %d load, %d wait, %d click, %d in the minute after', ...counts)
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(targets.lost)

    await page.reload()
    await page.locator('#main[data-phase=sold-out]').waitFor()
    const again = front.taken()
    expect(again, list(again)).toHaveLength(pageRequests.laterLoad)
    await page.context().close()
  })

  it('are at most 26 for ten minutes of waiting, an order and its payment, as the preflight counts them', async () => {
    const token = await stack.token('bao')
    const { page, front, loaded, waited } = await wait('bao', false)
    await stopClock(page)
    await page.click('#buy')
    await page.locator('#buy[data-state=won]').waitFor()
    await page.clock.runFor(1000)
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order').waitFor()
    await readAgain(page, token, ['awaiting-payment'])
    const ordered = front.taken()
    const { click, orderPage, orderReads, payment, paymentReads } = pageRequests
    expect(ordered.length, list(ordered)).toBeLessThanOrEqual(click + orderPage + orderReads)
    expect(ordered.length, list(ordered)).toBeGreaterThanOrEqual(click + orderPage + 1)

    await page.click('#pay')
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order').waitFor()
    await readAgain(page, token, ['paid', 'fulfilled'])
    const paid = front.taken()
    expect(paid.length, list(paid)).toBeLessThanOrEqual(payment + paymentReads)
    expect(paid.length, list(paid)).toBeGreaterThanOrEqual(payment + 1)

    const counts = [loaded, waited, ordered, paid].map(({ length }) => length)
    console.log('won: %d load, %d wait, %d click and order, %d payment', ...counts)
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(targets.won)
    await page.context().close()
  })
})
