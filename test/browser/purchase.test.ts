/**
 * A purchase in a real browser, from the sign-in to the order: what a click causes, its pass, the shopper's turn, the
 * address, the payment, and the end of an order that is not paid.
 */
import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { spreadMs } from '../../core/gate/spread.ts'
import { passInCookies } from '../../static/client/lib/cookies.ts'
import {
  buy,
  call,
  control,
  definition,
  openSale,
  pointerOf,
  startTokenOf,
  writtenOrder,
} from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openPageAhead } from './counting-front.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, fastForwardTo, overflows, says, sessionCookies, showsStatus } from './shopper.ts'
import { arriveAt, installClock, newVisitor, passRest, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openShop()

const buttonIs = (page: Page, state: string) => page.locator(`#buy[data-state=${state}]`).waitFor()
const idOf = (page: Page) => new URL(page.url()).searchParams.get('id') ?? ''

/** A new sale, and a shopper on its page, whose button is lit. */
async function shopperOfSale(name: string, change?: Record<string, unknown>, locale = 'en-GB') {
  const { saleId, startToken } = await openSale(stack, change)
  const page = await shopper(name, `/sales/${saleId}/`, { locale })
  await waitUntilLit(page)
  return { page, saleId, startToken, path: `/sales/${saleId}/` }
}

describe('a shopper', () => {
  it('who clicks as a guest signs in, buys without a ten-second rest, and signs out from the keyboard', async () => {
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
    await writtenOrder(stack, idOf(page), await stack.token(name))
    const orders = await control<{ text: string }>(stack, `/sales/${saleId}/orders.csv?columns=report`)
    expect(orders.text, 'with where the shopper came from').toMatch(/,news\r\n$/)

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
    await page.context().close()
  })

  it('reads in the language of the browser why a sign-in could not be finished', async () => {
    const failed = `${stack.url}/api/sign-in/callback?code=x&state=y`
    const chinese = await newVisitor(browser, { ...phone, locale: 'zh-CN' })
    await chinese.goto(failed)
    await chinese.getByText('登录失败').waitFor()
    await chinese.context().close()
    const page = await newVisitor(browser, phone)
    await page.goto(failed)
    await page.getByText('Couldn’t sign in').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(/\/sign-in\/\?uid=/)
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sluice_session')
    await page.context().close()
  })

  it('with a role sees the console, and not after a sign-in without a second factor', async () => {
    const hurried = await newVisitor(browser, phone)
    await hurried.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=/console/`)
    await hurried.getByText('Without a second factor').click()
    await hurried.click('#sign-in')
    await hurried.locator('.empty', { hasText: 'after a sign-in with a second factor' }).waitFor()
    await hurried.context().close()
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/console/`)
    await page.locator('.empty a.button').click()
    await page.waitForURL(/\/sign-in\/\?uid=/)
    await page.locator('#role-marketer:checked').waitFor()
    await page.fill('#shopperId', 'mia')
    await page.click('#sign-in')
    await page.waitForURL(`${stack.url}/console/`)
    await page.locator('#new-sale').waitFor()
    await page.context().close()
  })
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
    await says(page, '#status', 'You’ve reached the limit per person')
    await textOf(page, '#status').not.toMatch(/\d+ s/)
    // Before the page has found the order, the button leads to all orders.
    await page.locator(`#status a[href$="${body.orderId}"]`).waitFor()
    await page.click('#buy')
    await page.waitForURL(`${stack.url}/orders/?id=${body.orderId}`)
    await page.context().close()
  })

  it('shows who has an order the way to it when they come back, and the sale again once it is cancelled', async () => {
    const { page, path } = await shopperOfSale('click-bea')
    await buyOn(page)
    const order = page.url()
    await page.goto(stack.url + path)
    await says(page, '#buy', 'View order')
    // What is left would ask to buy more than the limit allows.
    await page.locator('#remaining').waitFor({ state: 'hidden' })
    await page.click('#buy')
    await page.waitForURL(order)
    // Before it is written it cannot be cancelled.
    await showsStatus(page, 'awaiting-payment')
    const token = await stack.token('click-bea')
    const { status } = await call(stack, `/api/orders/${idOf(page)}/cancel`, { token, body: {} })
    expect(status).toBe(200)
    await page.goto(stack.url + path)
    // The page asks for the order first; a clock that is moved meanwhile ends the call.
    await page.locator('#status', { hasText: 'View order' }).waitFor({ state: 'detached' })
    await passRest(page)
    await says(page, '#buy', 'Buy now')
    await page.locator('#remaining').waitFor()
    await page.context().close()
  })

  it('says how many more a shopper may choose where the limit is not reached yet, in Chinese', async () => {
    const limits = { limitPerShopper: 3, maxPerOrder: 3 }
    const { page, saleId, startToken } = await shopperOfSale('click-cem', limits, 'zh-CN')
    await buy(stack, saleId, { token: await stack.token('click-cem'), startToken, quantity: 2 })
    await page.fill('#quantity', '2')
    await page.click('#buy')
    await says(page, '#status', '您已有 2 件，最多还能购买 1 件')
    await page.context().close()
  })

  it('that finds no free place says within which time it is usually decided and for how many, until the next click', async () => {
    const { page } = await shopperOfSale('click-eda', { stock: 100 })
    const body = JSON.stringify({ code: 'at-capacity', status: 429, retryAfterSeconds: 1 })
    const full = { status: 429, contentType: 'application/problem+json', body }
    await page.route('**/sales/*/orders', (route) => route.fulfill(full), { times: 1 })
    // 90 units in 90 s, so the last 10 take about 10 s.
    await page.route('**/current.json', async (route) => {
      const response = await route.fetch()
      const pointer = await response.json()
      await route.fulfill({ response, json: { ...pointer, at: pointer.startsAt + 90_000, remaining: 10 } })
    })
    const chance = { at: Date.now(), tenths: [2, 4] }
    await page.route('**/chance.json', (route) => route.fulfill({ json: chance }))
    await page.click('#buy')
    await textOf(page, '#expected').toBe(
      'At this pace it is usually decided within 15 seconds. Of 10 shoppers who wait, about 2 to 4 get one.',
    )
    await passRest(page)
    await buyOn(page)
    await page.context().close()
  })

  it('of a phone that is offline is known not to have been sent, and the page says that it is offline', async () => {
    const { page } = await shopperOfSale('click-dov')
    await page.context().setOffline(true)
    await says(page, '#connection', 'Can’t connect')
    await page.click('#buy')
    await says(page, '#status', 'nothing was sent')
    await buttonIs(page, 'ready')
    await textOf(page, '#status').not.toContain('place')
    // Two looks fail, and a third hangs: none delays the look of a page that is back.
    const pointer = '**/current.json'
    const look = () => page.evaluate("dispatchEvent(new Event('online'))")
    for (const _ of [1, 2]) await Promise.all([page.waitForEvent('requestfailed'), look()])
    let looks = 0
    await page.route(pointer, (route) => (looks++ === 0 ? undefined : route.continue()))
    await Promise.all([page.waitForRequest(pointer), look()])
    await page.context().setOffline(false)
    // The third ends after 5 s, and the next turn would be 20 s later.
    await page.locator('#connection:empty').waitFor({ state: 'attached', timeout: 15_000 })
    await textOf(page, '#status').not.toContain('nothing was sent')
    await buyOn(page)
    await page.context().close()
  })
})

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
    await soon(() => passCookieOf(page)).toMatch(/^v1\./)
    await waitUntilLit(page)
    const clicks = clicksOf(page)
    await buyOn(page)
    expect(clicks.map(({ path }) => path)).toEqual([`/api/sales/${saleId}/orders`])
    const { version } = await pointerOf(stack, saleId)
    const [seenVersion, unitsAt] = (clicks[0]?.seen ?? '').split('.').map(Number)
    expect(seenVersion).toBe(version)
    expect(Math.abs(Date.now() - (unitsAt ?? 0))).toBeLessThan(120_000)
    await page.context().close()
  })

  it('gets a new one by itself when that in the cookie is forged, expired or missing (L6)', async () => {
    const { page, path, saleId } = await shopperOfSale('pass-bob', { limitPerShopper: 3 })
    const clicks = clicksOf(page)
    const spoilt: [string, (pass: string) => string][] = [
      ['forged', (pass) => `${pass.slice(0, -43)}${'A'.repeat(43)}`],
      ['expired', (pass) => pass.replace(/\.\d{10}\./, '.1700000000.')],
      ['missing', () => ''],
    ]
    for (const [what, spoil] of spoilt) {
      const value = spoil((await passCookieOf(page)) ?? '')
      await page.context().addCookies([{ name: 'sluice_pass', value, url: stack.url }])
      clicks.length = 0
      await buyOn(page)
      const order = `/api/sales/${saleId}/orders`
      expect(
        clicks.map((click) => click.path),
        what,
      ).toEqual([order, '/api/pass', order])
      await page.goto(stack.url + path)
      await page.locator('#main[data-phase=open]').waitFor()
      await passRest(page)
      await page.locator('#buy[data-state=ready], #buy[data-state=owned]').waitFor()
    }
    await page.context().close()
  })
})

const spreadSeconds = 60

type Cookies = Awaited<ReturnType<typeof sessionCookies>>

/** A shopper whose turn is in the middle of the spread. */
async function shopperWithTurn(startToken: string, within: number) {
  for (let i = 0; ; i += 1) {
    const name = `turn-${i}`
    const cookies = await sessionCookies(stack, name)
    const pass = cookies.find((cookie) => cookie.name === 'sluice_pass')?.value ?? ''
    const { shopperHash = '' } = passInCookies(`sluice_pass=${pass}`) ?? {}
    const digest = createHmac('sha256', startToken).update(shopperHash).digest('hex')
    const turnMs = spreadMs(digest, within)
    if (turnMs > within * 400 && turnMs < within * 900) return { cookies, turnMs }
  }
}

/** A page of that shopper that lives `aheadMs` from now. */
const pageAhead = (saleId: string, { cookies }: { cookies: Cookies }, aheadMs: number) =>
  openPageAhead(browser, stack.url, { path: `/sales/${saleId}/`, aheadMs, left: () => 5, cookies })

/** When the button stopped to show a turn, epoch ms in the time of the page, which goes on however slow a test is. */
async function endOfTurn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.querySelector('#buy').dataset.state === 'turn') return
    window.endOfTurn = Date.now()
    observer.disconnect()
  }).observe(document.querySelector('#buy'), { attributeFilter: ['data-state'] })`)
  return () => page.evaluate<number>('window.endOfTurn')
}

describe('a sale with a spread', () => {
  it('counts down to the shopper’s turn and lights then (R8, C5)', async () => {
    // The spread is over for the gate: the page lives a minute and a half before.
    const startsAt = Date.now() - 100_000
    const { saleId, startToken } = await openSale(stack, { spreadSeconds, startsAt })
    const who = await shopperWithTurn(startToken, spreadSeconds)
    const { page, now, liveUntil } = await pageAhead(saleId, who, startsAt + 2000 - Date.now())
    const wrong = complaintsOf(page)
    await buttonIs(page, 'turn')
    const secondsOff = async () => {
      const shown = /^Your turn in (\d+) s$/.exec((await page.locator('#buy-label').textContent()) ?? '')
      return Math.abs(Number(shown?.[1]) - (startsAt + who.turnMs - now()) / 1000)
    }
    await soon(secondsOff).toBeLessThan(3)
    await says(page, '#status', 'turns in the first 60 s are drawn')
    await page.locator('#buy[aria-disabled=true]').waitFor()
    await switchLanguage(page)
    await says(page, '#buy-label', /^\d+ 秒后轮到您$/)
    await says(page, '#status', '前 60 秒随机安排先后')
    await switchLanguage(page)

    const endedAt = await endOfTurn(page)
    await liveUntil(startsAt + who.turnMs + 1500)
    await waitUntilLit(page)
    expect(await endedAt()).toBeGreaterThan(startsAt + who.turnMs - 8000)
    await says(page, '#status', 'Good luck')
    await page.click('#buy')
    await buttonIs(page, 'won')
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('waits as long as the gate says where the page’s clock is ahead, and lights again (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { spreadSeconds: 300 })
    const who = await shopperWithTurn(startToken, 300)
    const { page, now, liveUntil } = await pageAhead(saleId, who, 301_000)
    await waitUntilLit(page)
    await page.click('#buy')
    await buttonIs(page, 'resting')
    await says(page, '#status', /^Not your turn yet/)
    await liveUntil(now() + 300_000)
    await waitUntilLit(page)
    await textOf(page, '#status').not.toContain('Your turn')
    await page.context().close()
  })

  it('asks a signed-out visitor to sign in, and for no pass (C3)', async () => {
    const sale = definition({ spreadSeconds, startsAt: Date.now() + 600_000 })
    const saleId = String(sale.saleId)
    await control(stack, '/sales', sale)
    await control(stack, `/sales/${saleId}/start`, {})
    await startTokenOf(stack, saleId)
    const page = await newVisitor(browser, phone)
    await installClock(page)
    const clicks = clicksOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase=scheduled]').waitFor()
    await page.getByText('Sign in now to be ready.').waitFor()
    await buttonIs(page, 'sign-in')
    await page.clock.runFor(60_000)
    expect(clicks).toEqual([])
    await page.context().close()
  })
})

/** A shopper on the page of their new order, which is written and waits for its money. */
async function buyer(name: string, change: Record<string, unknown>, profile?: Parameters<typeof shopper>[2]) {
  const { saleId, startToken } = await openSale(stack, { stock: 1, ...change })
  const token = await stack.token(name)
  const { orderId } = (await buy(stack, saleId, { token, startToken })).body
  await writtenOrder(stack, orderId, token)
  const page = await shopper(name, `/orders/?id=${orderId}`, profile)
  await showsStatus(page, 'awaiting-payment')
  return { page, saleId }
}

const delivery = { countries: ['CN', 'DE', 'US', 'GB', 'JP'] }

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.fill(`#address [name="${name}"]`, value)
}

const namesOf = (page: Page) =>
  page.locator('#address [name]').evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))
const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

const berlin = {
  name: 'Ann Schäfer',
  'addressLines.0': 'Torstraße 1',
  postalCode: '10119',
  locality: 'Berlin',
  phone: '030 80615040',
  email: 'ann@example.com',
}

describe('an order', () => {
  it('is asked for its address before the payment, complains at the field, and comes back paid from the provider’s page (O8)', async () => {
    const { page } = await buyer('address-ann', { delivery })
    const wrong = complaintsOf(page)
    await textOf(page, '#pay').toBe('Add address, then pay')
    // One way to add it: none stands beside the button that asks for it.
    await soon(() => page.locator('#order-address button').count()).toBe(0)
    await page.click('#pay')
    await page.locator('#address').waitFor()
    await textOf(page, '#pay').toBe('Add address, then pay')
    await page.selectOption('#address [name=postalCountry]', 'DE')
    await soon(() => namesOf(page)).toEqual([
      ...['postalCountry', 'name', 'organization', 'addressLines.0', 'addressLines.1', 'addressLines.2'],
      ...['postalCode', 'locality', 'phone', 'email'],
    ])
    // The sign-in may have filled it in.
    await fill(page, { email: '' })
    await page.click('#address-save')
    await soon(() => page.locator('#address [aria-invalid=true]').count()).toBe(6)
    await focused(page, '#address [name=name]')

    await fill(page, { ...berlin, postalCode: '1011', phone: '+86 138 0013 8000', email: 'ann@' })
    await page.click('#address-save')
    await page.locator('#address [name=phone][aria-invalid=true]').waitFor()
    expect(await page.locator('#address [aria-invalid=true]').count(), 'all wrong fields at once').toBe(3)
    await textOf(page, '#field-phone-error').toBe('Enter a phone number in Germany.')
    const colourOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    expect(await colourOf('#field-phone-error', 'color'), 'the sentence is as red as the field').toBe(
      await colourOf('#address [name=phone]', 'borderTopColor'),
    )
    await focused(page, '#address [name=postalCode]')
    await fill(page, berlin)
    await page.click('#address-save')
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await fastForwardTo(page.locator('#order[data-status=paid]'))
    await soon(() => page.locator('#timeline li').count()).toBeGreaterThanOrEqual(4)
    await soon(() => page.locator('#pay').count()).toBe(0)
    await page.locator('#order-address address').waitFor()
    await soon(() => page.locator('#order-address address span').allTextContents()).toEqual([
      ...['Ann Schäfer', 'Torstraße 1', '10119 Berlin', 'Germany', '+493080615040'],
    ])
    // The refusals of the form are logged by the browser; nothing else may be.
    expect(wrong.filter((line) => !line.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('orders in Germany by a button that says so, below a bill with the delivery to its country, and keeps that as a receipt (Directive 2011/83/EU Art. 8(2))', async () => {
    const purposes = ['imprint', 'terms', 'privacy', 'withdrawal'] as const
    const links = purposes.map((one) => ({ label: { en: one, 'zh-CN': one }, href: `/${one}`, for: one }))
    const seller = {
      name: 'Lantern GmbH',
      address: 'Torstraße 1',
      email: 'a@lantern.example',
      phone: '+49 30 1',
    }
    const { revision } = await control<{ revision: number }>(stack, '/brand')
    await control(stack, '/brand', { revision, brand: { seller, links } }, 'PUT')
    const charged = { countries: ['DE', 'CN'], costs: { DE: 490, CN: 1990 } }
    const german = { market: 'DE', taxPercent: 19, price: 1990, currency: 'EUR', delivery: charged }
    const { page } = await buyer('bill-ann', german)
    const address = page.url()
    await textOf(page, '#pay').toBe('Add address')
    await textOf(page, '#bill-delivery').toBe('Depends on your address')
    await textOf(page, '#bill-total').toBe('€19.90')
    await page.click('#pay')
    await page.selectOption('#address [name=postalCountry]', 'DE')
    await fill(page, berlin)
    await textOf(page, '#address-save').toBe('Save')
    await page.click('#address-save')
    await page
      .locator('#bill + .order__pay #pay[aria-disabled=false]', { hasText: 'Order with obligation to pay' })
      .waitFor()
    expect(await page.locator('#bill dd').allTextContents()).toEqual([
      ...['Stoneware mug · Quantity 1 · €19.90', '€4.90', '€24.80', '€3.96'],
      'One-off purchase: no subscription, no minimum term',
    ])
    // The link of an element on another site goes on to the payment of other orders.
    await page.goto(`${address}#pay`)
    await page.reload()
    await page.locator('#bill + .order__pay #pay[aria-disabled=false]').click()
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await fastForwardTo(page.locator('#order[data-status=paid]'))
    await textOf(page, '#bill-title').toBe('Receipt')
    await textOf(page, '#bill-net').toBe('€20.84')
    await page.locator('#seller', { hasText: 'Lantern GmbH' }).waitFor()
    await page.context().close()
  })

  it('keeps its address where the shopper steps back, changes it, and deletes it, by keyboard on a desktop in Chinese', async () => {
    const { page } = await buyer('address-wang', { delivery }, { device: desktop, locale: 'zh-CN' })
    await page.focus('#pay')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    await textOf(page, '#address h2').toBe('收货地址')
    await page.keyboard.press('Escape')
    await page.locator('#address').waitFor({ state: 'detached' })
    await focused(page, '#pay')
    expect(page.url()).toContain('/orders/')

    // Stored on another page, because the button here would go on to the payment.
    const { 'addressLines.0': line, ...rest } = berlin
    const stored = { ...rest, addressLines: [line], postalCountry: 'DE', language: 'zh-CN' }
    const token = await stack.token('address-wang')
    const path = `/api/orders/${idOf(page)}/delivery`
    expect((await call(stack, path, { method: 'PUT', token, body: stored })).status).toBe(200)
    await page.reload()
    await page.focus('#change-address')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    await page.selectOption('#address [name=postalCountry]', 'CN')
    await fill(page, {
      ...{ administrativeArea: '广东省', locality: '广州市', dependentLocality: '天河区' },
      ...{ 'addressLines.0': '天河路 385 号', name: '王小明' },
      ...{ phone: '13800138000', email: 'wang@example.cn', postalCode: '' },
    })
    await page.keyboard.press('Enter')
    const lines = page.locator('#order-address address span')
    await soon(() => lines.allTextContents()).toEqual([
      ...['广东省广州市天河区', '天河路 385 号', '王小明', '中国', '+8613800138000'],
    ])
    await focused(page, '#change-address')

    await page.click('#change-address')
    await soon(() => page.inputValue('#address [name=email]')).toBe('wang@example.cn')
    await soon(() => page.inputValue('#address [name=locality]')).toBe('广州市')
    await page.selectOption('#address [name=postalCountry]', 'JP')
    // The name stays when the country changes.
    await soon(() => page.inputValue('#address [name=name]')).toBe('王小明')
    await page.click('#address-back')

    await page.click('#erase-address')
    await page.locator('#confirm-actions [data-choice=back]').click()
    await soon(() => lines.count()).toBeGreaterThan(0)
    await page.click('#erase-address')
    await page.locator('#confirm-actions [data-choice=both]').click()
    await page.locator('#erase-address').waitFor({ state: 'detached' })
    await soon(() => lines.count()).toBe(0)
    expect(await page.evaluate("fetch('/api/contact').then((answer) => answer.json())")).toEqual({
      contact: null,
    })
    await page.context().close()
  })

  it('waits for its payment page while many pay, and is not shown as paid or confirmed after Back from it, and its refund is shown (O8)', async () => {
    const { page } = await buyer('back-eve', {}, { device: desktop })
    await textOf(page, '#order-title').toBe('Pay to complete your order')
    const body = JSON.stringify({ code: 'at-capacity', status: 429, retryAfterSeconds: 2 })
    const many = { status: 429, contentType: 'application/problem+json', body }
    await page.route('**/pay', (route) => route.fulfill(many), { times: 1 })
    await page.click('#pay')
    await textOf(page, '#pay-wait').toMatch(/^Many people are paying right now\. .* in about 2 s,/)
    await page.locator('#pay[aria-disabled=true]').waitFor()
    await page.waitForURL(/\/local\/pay\//)
    await page.goBack()
    await page.locator('#order[data-stage=paying]').waitFor()
    await textOf(page, '#order-title').toBe('Payment not complete yet')
    await textOf(page, '#order-lead').toMatch(/^If you have paid, .* If not, complete it by/)
    await page.click('#give-back')
    await page.locator('#confirm-actions button:not(.button--plain)').click()
    await page.locator('#order[data-stage=cancelled-paying]').waitFor()
    await textOf(page, '#order-lead').toMatch(/we’ll refund it in full/)
    await page.context().close()
  })

  it('that is cancelled is available to another shopper a moment later: the waiting page lights again (O9, G7, C8)', async () => {
    const { page, saleId } = await buyer('cancel-bea', {})
    const waiting = await shopper('cancel-cy', `/sales/${saleId}/`, { device: desktop })
    await fastForwardTo(waiting.locator('#main[data-phase=sold-out]'))

    // Escape keeps the order; only the answer in the dialog cancels it.
    await page.click('#give-back')
    await page.keyboard.press('Escape')
    await page.locator('#confirm').waitFor({ state: 'hidden' })
    await page.click('#give-back')
    await page.locator('#confirm-actions button:not(.button--plain)').click()
    await showsStatus(page, 'cancelled')

    await fastForwardTo(waiting.locator('#main[data-phase=open]'))
    await says(waiting, '#status', /Back in stock/)
    await buyOn(waiting)
    await showsStatus(waiting, 'awaiting-payment')
    await Promise.all([page, waiting].map((one) => one.context().close()))
  })

  it('that is not paid shows so by itself when its time is over (O8)', async () => {
    const { page } = await buyer('unpaid-dan', { paymentWindowSeconds: 8 }, { device: desktop })
    await page.locator('#order[data-status=cancelled]').waitFor()
    await textOf(page, '#order-lead').toMatch(/not paid|in time/i)
    await page.context().close()
  })
})
