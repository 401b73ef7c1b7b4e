/**
 * The requests of a shopper's browser: phase by phase, counted on arrival, while the page waits five minutes in virtual
 * time and a whole system answers; on a slow connection, where the number of sequential requests decides how long a
 * shopper cannot buy; and the size of the pages.
 */
import { readdirSync } from 'node:fs'
import type { Page, Request } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { defaultPlan, pageRequests, pollsBetween, requestsOfShopper } from '../../cli/preflight/plan.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { buyUnits, call, openSale, payOnPage, pointerOf } from '../journey/support.ts'
import { phone } from './browser.ts'
import { openPageAhead, type PageAhead } from './counting-front.ts'
import { openRain } from './rain.ts'
import { asksOnceInFive, soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { orderIdOf, overflows, says, sessionCookies } from './shopper.ts'
import {
  arriveAt,
  expectNoComplaints,
  installClock,
  newVisitor,
  openSignIn,
  stopClock,
  waitUntilLit,
} from './visitor.ts'

const { stack, browser } = await openShop()

/**
 * At most what one of the planned shoppers requests, who waits five minutes: up to the answer of the click, in the half
 * minute after a lost one as well, and with an order that is paid at once.
 */
const targets = { clicked: 8, lost: 11, won: 17 } as const

const waitSeconds = 60 * defaultPlan.waitMinutes
/** One that browsers keep, as pictures of a shop are. */
const picture = readdirSync(`${dist}/site/assets`).find((file) => /^mug\.\w+\.svg$/.test(file))
const polls = (paths: readonly string[]) => paths.filter((path) => path.endsWith('/current.json')).length
const list = (paths: readonly string[]) => paths.join('\n')

/** The page, what it has requested, and the way on in its time. */
type Play = Pick<PageAhead, 'page' | 'front'> & {
  loaded: string[]
  waited: string[]
  /** Until half a minute after the start. */
  stay(): Promise<void>
  /** From now on the page sees the pointer as it is. */
  reveal(): void
}

/**
 * A sale of one unit that started a moment ago, and a page that lives five minutes before its start: it loads, and
 * waits until its clock says so. With `isTaken` another shopper has already bought the unit.
 */
async function wait(name: string, isTaken: boolean): Promise<Play> {
  const { saleId, startToken } = await openSale(stack, {
    stock: 1,
    pictures: [{ src: `/assets/${picture}`, alt: 'A mug' }],
  })
  if (isTaken) {
    await buyUnits(stack, saleId, { token: await stack.token(`${name}-rival`), startToken })
    await soon(async () => (await pointerOf(stack, saleId)).remaining).toBe(0)
  }
  const { startsAt } = await pointerOf(stack, saleId)
  const aheadMs = startsAt - waitSeconds * 1000 - Date.now()
  let left: number | undefined = 1
  const cookies = await sessionCookies(stack, name)
  const path = `/sales/${saleId}/`
  const scene = { path, aheadMs, left: () => left, cookies }
  const { page, front, now, liveUntil } = await openPageAhead(browser, stack.url, scene)
  const answered = answersOf(page)
  await page.locator('#main[data-phase=scheduled]').waitFor()
  await page.locator('#buy[data-state=early]').waitFor()
  const loaded = front.taken()

  /** Little at a time: the deadline of a request passes in the page's time as well. */
  const passUntil = async (end: number) => {
    while (now() < end) {
      await liveUntil(Math.min(now() + 2000, end))
      await answered()
    }
  }
  await passUntil(startsAt + 1000)
  await waitUntilLit(page)
  return {
    ...{ page, front, loaded, waited: front.taken() },
    stay: () => passUntil(startsAt + 30_000),
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

/** Lets the page read its order once more, after the order itself has reached one of the states. */
async function readAgain(page: Page, token: string, statuses: readonly string[]): Promise<void> {
  const path = `/api/orders/${orderIdOf(page)}`
  await soon(async () => (await call<OrderView>(stack, path, { token })).body.status).toBeOneOf([...statuses])
  await page.clock.runFor(3000)
  await page.locator(statuses.map((status) => `#order[data-status=${status}]`).join()).waitFor()
}

describe('the requests of one shopper', () => {
  it('are at most 8 for five minutes of waiting and a click, and 11 with a lost sale, no more than the preflight bills (C3)', async () => {
    const { page, front, loaded, waited, stay, reveal } = await wait('ada', true)
    expect(loaded, list(loaded)).toHaveLength(pageRequests.firstLoad)
    expect(waited, list(waited)).toHaveLength(polls(waited))
    expect(waited).toHaveLength(pollsBetween(-waitSeconds, 0) - 1)

    // The look that follows the start by ten seconds or more does not belong to the click.
    await stopClock(page)
    await page.click('#buy')
    await page.locator('#main[data-phase=sold-out]').waitFor()
    reveal()
    const clicked = front.taken()
    await page.clock.resume()
    expect(clicked, list(clicked)).toHaveLength(pageRequests.click)

    const untilClicked = loaded.length + waited.length + clicked.length
    expect(untilClicked).toBeLessThanOrEqual(targets.clicked)

    await stay()
    const after = front.taken()
    // With the countdown of the start (C6).
    expect(after, list(after)).toHaveLength(polls(after) + 1)
    expect(after.length).toBeGreaterThanOrEqual(1)
    await soon(() => page.locator('#main').getAttribute('data-phase')).toBe('sold-out')
    const counts = [loaded, waited, clicked, after].map(({ length }) => length)
    console.log('lost: %d load, %d wait, %d click, %d in the half minute after', ...counts)
    expect(untilClicked + after.length).toBeLessThanOrEqual(targets.lost)
    expect(untilClicked + after.length).toBeLessThanOrEqual(requestsOfShopper(defaultPlan))

    await page.reload()
    await page.locator('#main[data-phase=sold-out]').waitFor()
    const again = front.taken()
    expect(again, list(again)).toHaveLength(pageRequests.laterLoad)

    const { saleId: other } = await openSale(stack)
    await page.goto(`${front.url}/sales/${other}/`)
    await page.locator('#main:not([data-phase=loading])').waitFor()
    await answersOf(page)()
    const next = front.taken()
    expect(next, list(next)).toHaveLength(pageRequests.otherSale)
  })

  it('are at most 17 for five minutes of waiting, an order and its payment, as the preflight counts them', async () => {
    const token = await stack.token('bao')
    const { page, front, loaded, waited } = await wait('bao', false)
    // From now on the page reads its order again when the test says so.
    await stopClock(page)
    await page.click('#buy')
    await page.locator('#buy[data-state=won]').waitFor()
    await page.clock.runFor(1000)
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order').waitFor()
    await readAgain(page, token, ['awaiting-payment'])
    // The look that follows the start by ten seconds or more may fall in the second of the click, with the countdown
    // that it finds (C6).
    const ordered = front.taken().filter((path) => !/\/(?:current\.json|countdown\.\d+\.js)$/.test(path))
    const { click, orderPage, orderReads, payment, paymentReads } = pageRequests
    expect(ordered.length, list(ordered)).toBeLessThanOrEqual(click + orderPage + orderReads)
    expect(ordered.length, list(ordered)).toBeGreaterThanOrEqual(click + orderPage + 1)
    const reads = ordered.filter((path) => /^\/api\/(?:orders\/|changes)/.test(path))
    expect(reads.length, 'from the 202 to an order that can be paid').toBeLessThanOrEqual(2)

    await page.click('#pay')
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order').waitFor()
    await readAgain(page, token, ['paid', 'fulfilled'])
    // The page of the simulated provider has a style of the shop, and Stripe's page does not.
    const paid = front.taken().filter((path) => path !== '/assets/plain.css')
    expect(paid.length, list(paid)).toBeLessThanOrEqual(payment + paymentReads)
    expect(paid.length, list(paid)).toBeGreaterThanOrEqual(payment + 1)

    const counts = [loaded, waited, ordered, paid].map(({ length }) => length)
    console.log('won: %d load, %d wait, %d click and order, %d payment', ...counts)
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(targets.won)
  })
})

describe('the page of an order that is being paid', () => {
  /** An order whose payment has started, and its page, with what it reads. */
  async function openPaying(name: string) {
    const { saleId, startToken } = await openSale(stack)
    const token = await stack.token(name)
    const { orderId } = await buyUnits(stack, saleId, { token, startToken })
    await soon(async () => (await call(stack, `/api/orders/${orderId}/pay`, { token, body: {} })).status).toBe(200)
    const page = await newVisitor(browser, phone)
    const cookies = await sessionCookies(stack, name)
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stack.url })))
    const reads: string[] = []
    page.on('request', (request) => {
      const { pathname: path } = new URL(request.url())
      if (/^\/api\/(?:orders|changes)/.test(path)) reads.push(path)
    })
    return { page, reads, orderId, pay: () => payOnPage(stack, orderId, token) }
  }

  it('shows the result with requests that the shop holds, not more than one in five seconds (N9)', async () => {
    const { page, reads, orderId, pay } = await openPaying('cem')
    const held = page.waitForRequest(/\/api\/changes\?/)
    await page.goto(`${stack.url}/orders/?id=${orderId}`)
    await page.locator('#order[data-stage=paying]').waitFor()
    await held
    await pay()
    await page.locator('#order[data-status=paid]').waitFor()
    const [opening, ...asked] = reads
    expect(opening).toBe(`/api/orders/${orderId}`)
    expect(new Set(asked)).toEqual(new Set(['/api/changes']))
    // On a busy machine the payment may take longer than the first of them.
    await asksOnceInFive(page)
  })

  it('is read as before while the shop can hold no more requests', async () => {
    const { page, reads, orderId, pay } = await openPaying('dag')
    const json = { Message: 'Rate Exceeded.' }
    await page.route('**/api/changes?*', (route) => route.fulfill({ status: 429, json }))
    const refused = page.waitForResponse(/\/api\/changes\?/)
    await page.goto(`${stack.url}/orders/?id=${orderId}`)
    await refused
    await pay()
    await page.locator('#order[data-status=paid]').waitFor()
    expect(reads.filter((path) => path === '/api/changes')).toHaveLength(1)
  })
})

/** Delays every request of the page by `latencyMs`, and gives them 400 kbit/s together. */
async function slowDown(page: Page, latencyMs: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const bytesPerSecond = 400_000 / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/** How many of the requests that a lit button needs follow one another, the page itself included. */
function roundTripsOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const needed = performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/assets\/.*\.js$|current\.json|countdown\./.test(name))
      .map(({ startTime, duration }) => ({ startTime, endTime: startTime + duration, depth: 2 }))
      .toSorted((a, b) => a.startTime - b.startTime)
    for (const one of needed) {
      const before = needed.filter(({ endTime }) => endTime <= one.startTime)
      one.depth = Math.max(2, ...before.map(({ depth }) => depth + 1))
    }
    return Math.max(...needed.map(({ depth }) => depth))
  })
}

describe('an open sale on a slow connection', () => {
  it('requests pointer and countdown while its script loads, and has the time with that pointer (C5)', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    const [pointer, countdown] = [/\/current\.json$/, /\/countdown\.\d+\.js$/].map((path) => page.waitForRequest(path))
    await page.route(/\/assets\/sale-en\.\w+\.js$/, async (route) => {
      await Promise.all([pointer, countdown])
      await route.continue()
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${stack.url}/sales/${saleId}/`, { waitUntil: 'commit' })
    await waitUntilLit(page)
    await textOf(page, '#phase').toBe('Live now')
    // The sale ends an hour after it was made.
    await says(page, '#minutes b', '59')
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  })

  it('can be used to buy after two round trips, which on Slow 3G (400 kbit/s, 400 ms) is within 5 s', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await slowDown(page, 400)
    const startedAt = performance.now()
    await page.goto(`${stack.url}/sales/${saleId}/`, { waitUntil: 'commit' })
    await waitUntilLit(page)
    // A busy machine is slower, so the time is printed and the round trips are counted: 40 kB and two of them fit into 5 s.
    console.log(`Slow 3G: the button can be pressed after ${Math.round(performance.now() - startedAt)} ms`)
    expect(await roundTripsOf(page)).toBe(2)
  })
})

describe('a page whose words cannot be loaded', () => {
  const chinese = /\/assets\/sale-words-zh-CN\.\w+\.js/
  const notice = '[role=alert]'

  it('speaks English to a reader of Chinese, says so, and changes to Chinese by itself once they can be', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone, { locale: 'zh-CN' })
    await installClock(page)
    await page.route(chinese, (route) => route.abort())
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    await textOf(page, '#buy-label').toBe('Sign in to buy')
    await soon(() => page.locator('html').getAttribute('lang')).toBe('en')
    await textOf(page, notice).toContain('Can’t connect. Trying again')
    await page.unroute(chinese)
    await page.clock.fastForward(10_000)
    await textOf(page, '#buy-label').toBe('登录后购买')
    await soon(() => page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await soon(() => page.locator(notice).count()).toBe(0)
  })

  it('keeps its language when those of the other one cannot be, and says so', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await page.route(chinese, (route) => route.abort())
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    await switchLanguage(page)
    await textOf(page, notice).toContain('Can’t connect. Trying again')
    await textOf(page, '#buy-label').toBe('Sign in to buy')
    await page.unroute(chinese)
    await switchLanguage(page)
    await textOf(page, '#buy-label').toBe('登录后购买')
    await soon(() => page.locator(notice).count()).toBe(0)
  })
})

describe('a page without JavaScript', () => {
  it('shows the times of an open sale and what it needs, in both languages, and not “Starts soon 00 00 00 00”', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone, { javaScriptEnabled: false })
    for (const path of [`/sales/${saleId}/`, '/']) {
      await page.goto(stack.url + path)
      const words = await page.locator('body').innerText()
      expect(words, path).not.toMatch(/Starts soon|Loading|00\s+00|––/)
      expect(words, path).toContain('Turn on JavaScript')
      expect(words, path).toContain('请启用 JavaScript')
    }
    await page.goto(`${stack.url}/sales/${saleId}/`)
    const words = await page.locator('main').innerText()
    expect(words).toMatch(/Sale time: \d{4}-\d\d-\d\d \d\d:\d\d UTC to /)
    expect(words).toMatch(/活动时间：\d{4}-/)
  })
})

describe('the sign-in page on a slow connection', () => {
  it('keeps what was typed before its script came', async () => {
    const page = await newVisitor(browser, phone)
    const { promise: typed, resolve: letScriptLoad } = Promise.withResolvers<void>()
    await page.route(/\/assets\/sign-in\.\w+\.js$/, async (route) => {
      await typed
      await route.continue()
    })
    await page.goto(`${stack.url}/sign-in/?as=ben&return=%2Forders%2F`, { waitUntil: 'commit' })
    await page.fill('#shopperId', 'ann')
    letScriptLoad()
    await page.waitForLoadState()
    await soon(() => page.locator('#shopperId').inputValue()).toBe('ann')
  })

  it('signs in without its script', async () => {
    const page = await newVisitor(browser, phone, { javaScriptEnabled: false })
    await openSignIn(page, `${stack.url}/sign-in/?return=%2Forders%2F`)
    await page.fill('#shopperId', 'not a name')
    await page.click('#sign-in')
    await page.fill('#shopperId', 'ann')
    await page.click('#sign-in')
    await arriveAt(page, `${stack.url}/orders/`)
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names).toContain('sluice_session')
  })
})

describe('the page of a sale', () => {
  it.each([
    ['goods', async () => (await openSale(stack)).saleId],
    ['red packets', () => openRain(stack, 20)],
  ])(
    'of %s has at most 40 kB before pictures, fits the narrowest phone, and breaks no rule of its own policy (C2)',
    async (_, open) => {
      const saleId = await open()
      const page = await newVisitor(browser, { ...phone, viewport: { width: 360, height: 740 } })
      expectNoComplaints(page)
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.request().resourceType() !== 'image') sizes.push(transferSizeOf(response.request()))
      })
      await page.goto(`${stack.url}/sales/${saleId}/`)
      await waitUntilLit(page)
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size)
      expect(bytes).toBeGreaterThan(1000)
      expect(bytes).toBeLessThanOrEqual(40_000)
      await soon(() => overflows(page)).toBe(false)
    },
  )
})

async function transferSizeOf(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}
