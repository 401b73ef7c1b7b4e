/**
 * The pass of a click and the shopper's turn, in a real browser: a page recovers from a pass that is gone, and
 * lights its button at the instant that the gate knows too.
 */
import { createHmac } from 'node:crypto'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import { fetchPass } from '../../cli/pass.ts'
import { spreadMs } from '../../core/spread.ts'
import { passInCookies } from '../../static/client/cookies.ts'
import { control, definition, openSale, pointerOf, startTokenOf } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { startCountingFront } from './counting-front.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

/** What the page sends for a click, in its order; the pass in the cookie comes from the sign-in. */
function clicksOf(page: Page): { path: string; seen: string | undefined }[] {
  const clicks: { path: string; seen: string | undefined }[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path !== '/api/pass' && request.method() !== 'POST') return
    clicks.push({ path, seen: request.headers()['x-sluice-seen'] })
  })
  return clicks
}

async function passCookieOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'sluice_pass')?.value
}

describe('a click in a sale that requires a pass', () => {
  it('has the pass of the sign-in and says what the page has seen, in one request (C7, L6)', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await signInThrough(page, stack.url, 'pass-ann', `/sales/${saleId}/`)
    expect(await passCookieOf(page)).toMatch(/^v1\./)
    await waitUntilLit(page)
    const clicks = clicksOf(page)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    expect(clicks.map(({ path }) => path)).toEqual([`/api/sales/${saleId}/orders`])
    const { version } = await pointerOf(stack, saleId)
    const [seenVersion, unitsAt] = (clicks[0]?.seen ?? '').split('.').map(Number)
    expect(seenVersion).toBe(version)
    expect(Math.abs(Date.now() - (unitsAt ?? 0))).toBeLessThan(120_000)
    await page.context().close()
  })

  it.each([
    ['forged', (pass: string) => `${pass.slice(0, -43)}${'A'.repeat(43)}`],
    ['expired', (pass: string) => pass.replace(/\.\d{10}\./, '.1700000000.')],
    ['missing', () => ''],
  ])('gets a new one by itself when that in the cookie is %s (L6)', async (what, spoil) => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await signInThrough(page, stack.url, `pass-${what}`, `/sales/${saleId}/`)
    await waitUntilLit(page)
    const value = spoil((await passCookieOf(page)) ?? '')
    await page.context().addCookies([{ name: 'sluice_pass', value, url: stack.url }])
    const clicks = clicksOf(page)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    const path = `/api/sales/${saleId}/orders`
    expect(clicks.map((click) => click.path)).toEqual([path, '/api/pass', path])
    await page.context().close()
  })
})

const spreadSeconds = 60

type Shopper = { name: string; token: string; pass: string; turnMs: number }

/** A shopper whose turn is in the middle of the spread. */
async function shopperOf(startToken: string, within: number): Promise<Shopper> {
  for (let i = 0; ; i += 1) {
    const name = `turn-${i}`
    const token = await stack.token(name)
    const pass = (await fetchPass(stack.url, token)) ?? ''
    const { shopperHash = '' } = passInCookies(`sluice_pass=${pass}`) ?? {}
    const digest = createHmac('sha256', startToken).update(shopperHash).digest('hex')
    const turnMs = spreadMs(digest, within)
    if (turnMs > within * 400 && turnMs < within * 900) return { name, token, pass, turnMs }
  }
}

/** A page of that shopper that lives `aheadMs` from now. */
async function pageOf(saleId: string, who: Shopper, aheadMs: number, screen: BrowserContextOptions) {
  let ahead = aheadMs
  const now = () => Date.now() + ahead
  const front = await startCountingFront(stack.url, { now, left: () => 5 })
  afterAll(() => front.stop())
  const page = await newVisitor(browser, screen)
  await page.clock.install({ time: now() })
  const cookies = { sluice_session: who.token, sluice_who: who.name, sluice_pass: who.pass }
  await page
    .context()
    .addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: front.url })))
  await page.goto(`${front.url}/sales/${saleId}/`)
  return {
    page,
    now,
    /** Lets the page live until then. */
    async liveUntil(time: number): Promise<void> {
      const stepMs = Math.max(0, time - now())
      ahead += stepMs
      await page.clock.runFor(stepMs)
    },
  }
}

describe('a sale with a spread', () => {
  it.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('counts down to the shopper’s turn and lights then, on %s (R8, C5)', async (_, screen) => {
    // The spread is over for the gate: the page lives a minute and a half before.
    const startsAt = Date.now() - 100_000
    const { saleId, startToken } = await openSale(stack, { spreadSeconds, startsAt })
    const who = await shopperOf(startToken, spreadSeconds)
    const { page, now, liveUntil } = await pageOf(saleId, who, startsAt + 2000 - Date.now(), screen)
    const wrong = complaintsOf(page)
    await page.locator('#buy[data-state=turn]').waitFor()
    const seconds = Number(/\d+/.exec((await page.locator('#buy-label').textContent()) ?? '')?.[0])
    expect(Math.abs(seconds - (startsAt + who.turnMs - now()) / 1000)).toBeLessThan(3)
    expect(await page.locator('#buy-label').textContent()).toMatch(/^Your turn in \d+ s$/)
    expect(await page.locator('#status').textContent()).toContain('turns in the first 60 s are drawn')
    expect(await page.locator('#buy').getAttribute('aria-disabled')).toBe('true')
    expect(await faultsOf(page)).toEqual([])
    const kind = screen === phone ? 'phone' : 'desktop'
    await picture(page, `turn-${kind}-en`)
    await page.click('#language')
    expect(await page.locator('#buy-label').textContent()).toMatch(/^\d+ 秒后轮到您$/)
    expect(await page.locator('#status').textContent()).toContain('前 60 秒随机安排先后')
    await picture(page, `turn-${kind}-zh`)
    await page.click('#language')

    await liveUntil(startsAt + who.turnMs - 1500)
    expect(await page.locator('#buy').getAttribute('data-state')).toBe('turn')
    await liveUntil(startsAt + who.turnMs + 1500)
    await waitUntilLit(page)
    expect(await page.locator('#status').textContent()).toContain('Good luck')
    await page.click('#buy')
    await page.locator('#buy[data-state=won]').waitFor()
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('waits as long as the gate says where the page’s clock is ahead, and lights again (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { spreadSeconds: 300 })
    const who = await shopperOf(startToken, 300)
    const { page, now, liveUntil } = await pageOf(saleId, who, 301_000, phone)
    await waitUntilLit(page)
    await page.click('#buy')
    await page.locator('#buy[data-state=resting]').waitFor()
    expect(await page.locator('#status').textContent()).toMatch(/^Not your turn yet/)
    await picture(page, 'turn-refused-phone-en')
    await liveUntil(now() + 300_000)
    await waitUntilLit(page)
    expect(await page.locator('#status').textContent()).not.toContain('Your turn')
    await page.context().close()
  })

  it('asks a signed-out visitor to sign in, and for no pass (C3)', async () => {
    const saleId = 'turn-waits'
    await control(stack, '/sales', definition({ saleId, spreadSeconds, startsAt: Date.now() + 600_000 }))
    await control(stack, `/sales/${saleId}/start`, {})
    await startTokenOf(stack, saleId)
    const page = await newVisitor(browser, phone)
    await page.clock.install({ time: Date.now() })
    const clicks = clicksOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase=scheduled]').waitFor()
    await page.getByText('Sign in before the start').waitFor()
    await page.clock.runFor(60_000)
    expect(clicks).toEqual([])
    await page.context().close()
  })
})
