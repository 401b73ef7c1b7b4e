/**
 * A purchase in a real browser, from the sign-in to the order: what a click causes, and its pass.
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, control, openSale, pointerOf, writtenOrder } from '../journey/support.ts'
import { phone } from './browser.ts'
import { shoppersOfSales } from './buyer.ts'
import { soon, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buttonIs, buyOn, orderIdOf, overflows, says } from './shopper.ts'
import { arriveAt, installClock, newVisitor, signInThrough, stopClock, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openShop()
const shopperOfSale = shoppersOfSales(stack, shopper)

it('a shopper who clicks as a guest signs in, buys without a ten-second rest, and signs out from the keyboard', async () => {
  const name = 'eve|of:the+long@name'
  const { saleId } = await openSale(stack, { limitPerShopper: 3, maxPerOrder: 3 })
  const page = await newVisitor(browser, phone)
  await page.goto(`${stack.url}/?utm_source=News`)
  await page.click(`.card[data-sale-id=${saleId}] a`)
  await soon(() => page.locator('#sign-out').isVisible()).toBe(false)
  await buttonIs(page, 'sign-in')
  await page.fill('#quantity', '2')
  await page.locator('#quantity').blur()
  await says(page, '#buy', 'Sign in to buy')
  await page.click('#buy')
  await arriveAt(page, /\/sign-in\/\?uid=/)
  await page.fill('#shopperId', name)
  await page.click('#sign-in')
  await arriveAt(page, `${stack.url}/sales/${saleId}/?utm_source=News`)
  await says(page, '#who', name)
  await waitUntilLit(page)
  expect(await page.inputValue('#quantity'), 'the choice of before the sign-in').toBe('2')
  await buyOn(page)
  await writtenOrder(stack, orderIdOf(page), await stack.token(name))
  const orders = await control<{ text: string }>(stack, `/sales/${saleId}/orders.csv?columns=report`)
  expect(orders.text, 'with where the shopper came from').toMatch(/,news,awaiting-payment\r\n$/)

  await says(page, '#who', name)
  await soon(() => overflows(page)).toBe(false)
  await page.locator('#who').focus()
  await page.keyboard.press('Tab')
  await page.locator('#sign-out:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${stack.url}/`)
  await says(page, '#who', 'Sign in')
  const names = (await page.context().cookies()).map((cookie) => cookie.name)
  expect(names.filter((cookie) => cookie.startsWith('sluice_'))).toEqual([])
  await page.goto(`${stack.url}/orders/`)
  await page.getByText('Sign in to see your orders.').waitFor()
  // The session of the issuer has ended, too: it asks for a name again.
  await page.click('#who')
  await arriveAt(page, /\/sign-in\/\?uid=/)
})

describe('a click', () => {
  it('of a shopper who has reached the limit leads to the order, and not to “again in 7 s”', async () => {
    const { page, saleId, startToken } = await shopperOfSale('click-ann')
    // Bought on another device, and written: the page looks its order up.
    const token = await stack.token('click-ann')
    const { body } = await buy(stack, saleId, { token, startToken })
    await writtenOrder(stack, body.orderId, token)
    await page.click('#buy')
    await says(page, '#buy', 'View order')
    // Before the page has found the order, the button leads to all orders.
    await textOf(page, '#status').toMatch(/^You have one\. Pay by \d+:\d\d( [AP]M)?\.$/)
    await page.click('#buy')
    await page.waitForURL(`${stack.url}/orders/?id=${body.orderId}`)
  })

  it('of a phone that is offline waits on the page, which says so in one line, and is sent by itself once (I5)', async () => {
    const { page } = await shopperOfSale('click-dov')
    await page.context().setOffline(true)
    await says(page, '#status', 'Can’t connect')
    await page.click('#buy')
    await says(page, '#status', 'it continues once you’re connected')
    await buttonIs(page, 'ready')
    await textOf(page, '#status').not.toContain('place')
    // Two looks fail, and a third hangs: none delays the look of a page that is back.
    const pointer = '**/current.json'
    const look = () => page.evaluate("dispatchEvent(new Event('online'))")
    for (const _ of [1, 2]) await Promise.all([page.waitForEvent('requestfailed'), look()])
    let looks = 0
    await page.route(pointer, (route) => (looks++ === 0 ? undefined : route.continue()))
    await Promise.all([page.waitForRequest(pointer), look()])
    // The third would end after 5 s, and the next turn come 20 s later: neither does before the clock goes on.
    await stopClock(page)
    const clicks = clicksOf(page)
    await page.context().setOffline(false)
    await says(page, '#status', /(?:order|got it)/)
    await page.clock.resume()
    await page.waitForURL(/\/orders\/\?id=/)
    expect(clicks.filter(({ path }) => path.endsWith('/orders'))).toHaveLength(1)
  })
})

/** The requests of the page for a click, in order; the pass in the cookie comes from the sign-in. */
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
    await soon(() => passCookieOf(page)).toMatch(/^v1\./)
    await waitUntilLit(page)
    const clicks = clicksOf(page)
    await buyOn(page)
    expect(clicks.map(({ path }) => path)).toEqual([`/api/sales/${saleId}/orders`])
    const { version } = await pointerOf(stack, saleId)
    const [seenVersion, unitsAt] = (clicks[0]?.seen ?? '').split('.').map(Number)
    expect(seenVersion).toBe(version)
    expect(Math.abs(Date.now() - (unitsAt ?? 0))).toBeLessThan(120_000)
  })

  it('gets a new one by itself when that in the cookie is forged (L6)', async () => {
    const { page, saleId } = await shopperOfSale('pass-bob')
    const value = ((await passCookieOf(page)) ?? '').replace(/.{43}$/, 'A'.repeat(43))
    await page.context().addCookies([{ name: 'sluice_pass', value, url: stack.url }])
    const clicks = clicksOf(page)
    await buyOn(page)
    const order = `/api/sales/${saleId}/orders`
    expect(clicks.map(({ path }) => path)).toEqual([order, '/api/pass', order])
  })
})

it('a sale with a spread asks a signed-out visitor to sign in, and for no pass (C3)', async () => {
  const { saleId } = await openSale(stack, { spreadSeconds: 60, startsAt: Date.now() + 600_000 })
  const page = await newVisitor(browser, phone)
  await installClock(page)
  const clicks = clicksOf(page)
  await page.goto(`${stack.url}/sales/${saleId}/`)
  await page.locator('#main[data-phase=scheduled]').waitFor()
  await page.getByText('Sign in now to be ready.').waitFor()
  await buttonIs(page, 'sign-in')
  await page.clock.runFor(60_000)
  expect(clicks).toEqual([])
})
