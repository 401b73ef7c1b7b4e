/**
 * Rewards of a shopper in a real browser: a coupon, whose code is copied from the keyboard and which expires; a red
 * packet, claimed by a tap on a falling one or by keyboard; and the wallet.
 */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { clockHeader } from '../../core/gate/cors.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import { call, click, control, openSale, placeOrder, startTokenOf } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { openRain as openRainIn, raining, tapPacket, totalAmount, waitForStatus } from './rain.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, orderIdOf, postsTo, says, showsStatus } from './shopper.ts'
import {
  arriveAt,
  expectAccessible,
  expectNoComplaints,
  newVisitor,
  passRest,
  picture,
  stopClock,
  waitUntilLit,
} from './visitor.ts'

const { stack, browser, shopper } = await openShop()

const couponSale = (change: Record<string, unknown> = {}) =>
  openSale(stack, {
    kind: 'coupon',
    title: 'Ten off any tea',
    description: 'One coupon for each of you, while there are some.',
    pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }],
    price: 0,
    stock: 100,
    ...change,
  })

/** A shopper with `quantity` coupons, on the page of their order. */
async function owner(name: string, change: Record<string, unknown>, screen = phone, quantity = 1) {
  const { saleId, startToken } = await couponSale(change)
  const { orderId, token } = await placeOrder(stack, name, { saleId, startToken }, { quantity })
  const page = await shopper(name, `/orders/?id=${orderId}`, { device: screen })
  await page.locator('#order').waitFor()
  return { page, saleId, orderId, token }
}

const textNow = async (page: Page, selector: string) => (await page.locator(selector).textContent()) ?? ''

describe('a coupon in a real browser', () => {
  it('is free in both languages, got with one click, and its code copied from the keyboard (S7, C7)', async () => {
    const coupons = { validUntil: Date.UTC(2031, 5, 15, 12) }
    const { saleId } = await couponSale({ coupons, limitPerShopper: 4, maxPerOrder: 2 })
    const page = await shopper('cora', `/sales/${saleId}/`)
    expectNoComplaints(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.url })
    await waitUntilLit(page)
    await textOf(page, '.price').toBe('Free')
    await textOf(page, '#buy').toBe('Get coupon')
    await switchLanguage(page)
    await textOf(page, '#buy').toBe('立即领取')
    await textOf(page, '.price').toBe('免费')
    await switchLanguage(page)
    await page.click('#more')
    await soon(() => page.inputValue('#quantity')).toBe('2')
    await textOf(page, '.price').toBe('Free')
    const facts = await textNow(page, '.facts')
    expect(facts).toMatch(/Limit per order\s*2[\s\S]+Limit per person\s*4[\s\S]+Valid until\s*15 Jun 2031/)
    expect(facts).not.toMatch(/pay/i)
    await page.click('#less')

    await buyOn(page)
    await showsStatus(page, 'fulfilled')
    await textOf(page, '#order-title').toBe('Your coupon')
    await textOf(page, '#order').not.toMatch(/0\.00|awaiting|payment/i)
    const code = await textNow(page, '#coupon-1')
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/)
    await textOf(page, '#coupons-validity').toMatch(/^Valid until 15 Jun 2031/)
    await switchLanguage(page)
    await textOf(page, '#order-title').toBe('您的优惠券')
    await textOf(page, '#copy-1').toBe('复制')
    await textOf(page, '#coupons-validity').toMatch(/^有效期至 2031年6月15日/)
    await switchLanguage(page)

    await page.locator('#order-title').focus()
    await page.keyboard.press('Tab')
    await page.locator('#copy-1:focus').waitFor()
    await page.keyboard.press('Enter')
    await says(page, '#coupons-note[role=status]', 'Copied')
    await textOf(page, '#copy-1').toBe('Copied')
    await page.locator('#copy-1:focus').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)

    const own = await call<OrderView>(stack, `/api/orders/${orderIdOf(page)}`, { token: await stack.token('cora') })
    expect(own.body.coupons?.map(formatCoupon)).toEqual([code])
    await page.click('#to-orders')
    await textOf(page, '#order-list small').toMatch(/^Coupon · Quantity 1 · /)
    await textOf(page, '#order-list').not.toMatch(/¥|0\.00/)
  })

  it.each(['light', 'dark'] as const)(
    'is printed dark on white, alone and whole, from a %s screen',
    async (colorScheme) => {
      const many = { limitPerShopper: 20, maxPerOrder: 20 }
      const { page } = await owner(`paula-${colorScheme}`, many, phone, 20)
      await soon(() => page.locator('.coupon svg').count()).toBe(20)
      const facts = `(() => {
      const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.getBoundingClientRect().height > 0)
      const codes = shown('.coupon')
      const { color, backgroundColor } = getComputedStyle(codes[0])
      const cut = codes.filter((one) => getComputedStyle(one).breakInside !== 'avoid')
      return [codes.length, cut.length, shown('header, footer, button, .button').length, color, backgroundColor]
    })()`
      const onWhite = [20, 0, 0, 'rgb(0, 0, 0)', 'rgb(255, 255, 255)']
      await page.emulateMedia({ media: 'print', colorScheme })
      expect(await page.evaluate(facts)).toEqual(onWhite)
      await page.goto(`${stack.url}/wallet/`)
      await page.emulateMedia({ media: null })
      await page.locator('#coupons summary').click()
      await soon(() => page.locator('.coupon svg').count()).toBe(20)
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate(facts)).toEqual(onWhite)
    },
  )

  it('selects its code for copying by hand when the browser denies the clipboard', async () => {
    const { page } = await owner('dora', { limitPerShopper: 3, maxPerOrder: 3 }, desktop, 3)
    const settings = await browser.newBrowserCDPSession()
    const permission = { name: 'clipboard-write' }
    const origin = new URL(page.url()).origin
    await settings.send('Browser.setPermission', { permission, setting: 'denied', origin })
    await textOf(page, '#order-title').toBe('Your coupons')
    await page.locator('#copy-2').press('Enter')
    await says(page, '#coupons-note', 'copy it by hand')
    const marked = await page.evaluate('String(getSelection())')
    expect(marked).toBe(await textNow(page, '#coupon-2'))
    await textOf(page, '#copy-2').toBe('Copy')
    await settings.send('Browser.resetPermissions')
  })

  it('is in the wallet with its QR code, until it is void, in both languages (S7)', async () => {
    const coupons = { validUntil: Date.UTC(2031, 5, 15, 12) }
    const { page, orderId } = await owner('gina', { coupons, limitPerShopper: 2, maxPerOrder: 2 }, phone, 2)
    const codes = [await textNow(page, '#coupon-1'), await textNow(page, '#coupon-2')]
    await page.goto(`${stack.url}/wallet/`)
    expectNoComplaints(page)
    const read: string[] = []
    page.on('request', (request) => read.push(new URL(request.url()).pathname))
    await page.locator('#coupons summary', { hasText: 'Coupons' }).waitFor()
    expect(read).not.toContain('/api/orders')
    await page.locator('#coupons summary').press('Enter')
    const place = page.locator(`#coupons-place [data-order-id="${orderId}"]`)
    await soon(() => place.locator('svg[role=img]').count()).toBe(2)
    expect(await place.locator('.coupon__code').allTextContents()).toEqual(codes)
    await textOf(page, '#coupons-place h2').toBe('Ten off any tea')
    // In the reader's own English, as on the page of the order.
    await textOf(page, `[id="coupons-validity-${orderId}"]`).toMatch(/^Valid until 15 Jun 2031/)
    await expectAccessible(page, 'wallet-coupons')
    await switchLanguage(page)
    await textOf(page, '#coupons summary').toBe('优惠券')
    await textOf(page, `[id="copy-1-${orderId}"]`).toBe('复制')
    await switchLanguage(page)

    await control(stack, `/orders/${orderId}/refund`, {})
    await page.reload()
    await page.locator('#coupons summary').click()
    await textOf(page, '#coupons-place').toBe('No coupons to use right now.')
  })

  it('shows by itself that it has expired', async () => {
    const validUntil = Date.now() + 2 * 3_600_000
    const { page } = await owner('ella', { coupons: { validFrom: Date.now(), validUntil } })
    await textOf(page, '#coupons-validity').toMatch(/^Valid from .+ until /)
    // The answers of the shop are as late as the page's clock.
    let aheadMs = 0
    await page.route('**/api/orders/**', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), [clockHeader]: String(Date.now() + aheadMs) }
      await route.fulfill({ response, headers })
    })
    aheadMs = validUntil - Date.now() - 60_000
    await page.clock.fastForward(aheadMs)
    await soon(() => page.evaluate(() => Date.now())).toBeGreaterThan(validUntil - 60_000)
    await soon(() => page.locator('#order').getAttribute('data-stage')).not.toBe('expired')
    aheadMs += 60_000
    await page.clock.fastForward(60_000)
    await page.locator('#order[data-stage=expired]').waitFor()
    await textOf(page, '#order-title').toBe('Your coupon expired')
    await textOf(page, '#coupons-validity').toMatch(/^Expired on /)
    await textOf(page, '#announcements').toMatch(/Your coupon expired/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

const openRain = (count: number, change?: Record<string, unknown>) => openRainIn(stack, count, change)
/** Packets fall, unless `change` reduces motion. */
const visit = (name: string, saleId: string, device = phone, change: BrowserContextOptions = {}) =>
  shopper(name, `/sales/${saleId}/`, { device, reducedMotion: 'no-preference', ...change })

/** Minor units of the money shown there. */
const moneyIn = async (page: Page, selector: string) => Number((await textNow(page, selector)).replace(/[^0-9]/g, ''))

describe('a rain of red packets in a real browser', () => {
  it('gives a packet for a tap on one, and its amount reaches the wallet (P2, P3, C7)', async () => {
    const saleId = await openRain(20)
    const page = await visit('ann', saleId)
    expectNoComplaints(page)
    const taps = postsTo(page, '/packets')
    await raining(page)
    await soon(() => page.locator('.drop').count()).toBeGreaterThanOrEqual(6)
    await page.locator('#stage img').waitFor({ state: 'hidden' })
    await waitUntilLit(page)
    // A packet does not take the focus.
    await page.locator('#buy').focus()
    // Else the ten seconds of the rest may be over before the second tap.
    await stopClock(page)
    await tapPacket(page)
    await page.locator('#caught').waitFor()
    const amount = await moneyIn(page, '#caught-amount')
    expect(amount).toBeGreaterThan(0)
    expect(amount).toBeLessThanOrEqual(totalAmount)
    await textOf(page, '#status').toContain(await textNow(page, '#caught-amount'))
    await page.locator('#buy:focus').waitFor()

    // Nothing more is sent during the rest.
    await page.locator('#caught').click()
    expect(taps).toHaveLength(1)
    await page.clock.resume()

    await says(page, '#purse', 'Wallet balance')
    await soon(() => moneyIn(page, '#purse-amount')).toBe(amount)
    await waitForStatus(page, 'It’s in your wallet')
    await says(page, '#remaining', '19 red packets left')
    await picture(page, 'caught-phone')
    expect(taps.map((request) => Object.keys(request.postDataJSON()))).toEqual([['startToken']])

    // Afterwards the shop answers that it was claimed.
    await passRest(page)
    await waitUntilLit(page)
    await page.locator('#caught').click()
    await waitForStatus(page, 'You already got one')
    expect(taps).toHaveLength(2)
    await textOf(page, '#status').toContain(await textNow(page, '#caught-amount'))

    // Another device shows it from the start.
    const other = await visit('ann', saleId, desktop)
    await other.locator('#stage[data-sky=caught]').waitFor()
    await waitForStatus(other, 'You already got one')
    await soon(() => moneyIn(other, '#caught-amount')).toBe(amount)

    await page.click('#status a')
    await page.waitForURL(`${stack.url}/wallet/`)
    await says(page, '#credits', 'Spring festival packets')
    await soon(() => moneyIn(page, '#balances .balances__sum')).toBe(amount)
  })

  it('is caught by keyboard alone with reduced motion', async () => {
    const saleId = await openRain(20)
    const page = await visit('bea', saleId, phone, { reducedMotion: 'reduce' })
    const taps = postsTo(page, '/packets')
    await raining(page)
    await waitUntilLit(page)
    const animations = () => page.locator('#sky').evaluate((sky) => sky.getAnimations({ subtree: true }).length)
    await soon(() => page.locator('.drop').count()).toBeGreaterThan(0)
    expect(await animations()).toBe(0)

    // From the top of the page to the button, through nothing that falls.
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    for (let i = 0; i < 5 && !(await page.locator('#buy:focus').count()); i += 1) {
      await page.keyboard.press('Tab')
    }
    await page.locator('#buy:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#caught').waitFor()
    await page.locator('#buy:focus').waitFor()
    await waitForStatus(page, /You got CN¥\d/)
    await says(page, '#purse', 'Wallet balance')

    await passRest(page)
    await waitUntilLit(page)
    await page.keyboard.press('Space')
    await waitForStatus(page, 'You already got one')
    expect(taps).toHaveLength(2)
  })

  it('looks for the packet when an answer is lost, and shows it before the wallet has it (P3)', async () => {
    const saleId = await openRain(20)
    const page = await visit('eve', saleId)
    await raining(page)
    await waitUntilLit(page)
    // The claim succeeds but its answer is lost, and the wallet is unavailable.
    await page.route(/\/api\/(?:wallet|credit)/, (route) => route.abort())
    await page.route('**/packets', async (route) => void (await route.fetch().then(() => route.abort())), { times: 1 })
    await page.click('#buy')
    await waitForStatus(page, 'Checking…')
    await soon(() => page.locator('#caught').isVisible()).toBe(false)
    await passRest(page)
    await waitForStatus(page, /^You got CN¥[\d.]+! Adding it to your wallet/)
    await page.locator('#caught').waitFor()
  })

  it('sends a solved challenge with the tap, if the sale requires one (R5)', async () => {
    const saleId = await openRain(20, { challenge: 'pow' })
    const page = await visit('gus', saleId)
    const taps = postsTo(page, '/packets')
    await page.locator('#check[data-state=passed]').waitFor()
    await raining(page)
    await waitUntilLit(page)
    await tapPacket(page)
    await page.locator('#caught').waitFor()
    expect(taps.map((request) => Object.keys(request.postDataJSON()).sort())).toEqual([['challenge', 'startToken']])
    // The solution is used up, and the caught packet is shown without another one.
    await passRest(page)
    await waitUntilLit(page)
    await page.click('#buy')
    await waitForStatus(page, 'You already got one')
    expect(taps).toHaveLength(1)
  })

  it('shows amounts in both languages, leads a guest to the sign-in, and sends no wallet request before (C3)', async () => {
    const saleId = await openRain(20)
    const page = await newVisitor(browser, phone)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await raining(page)
    await waitUntilLit(page)
    await switchLanguage(page)
    await textOf(page, '#buy').toBe('抢红包')
    await textOf(page, '.price').toBe('¥50.00 共 20 个红包')
    await textOf(page, '#remaining').toBe('剩余 20 个红包')
    await switchLanguage(page)
    await tapPacket(page)
    await page.click('#status a')
    await arriveAt(page, /\/sign-in\/\?uid=/)
    expect(asked).not.toContain('/api/wallet')
    await page.goto(`${stack.url}/wallet/`)
    await page.getByText('Sign in to see your wallet.').waitFor()
  })
})

/** A shopper who has the one packet of a rain, on the page of the wallet. */
async function winner(name: string, totalAmount: number, screen = phone, locale = 'en-GB') {
  const saleId = await openRain(1, { packets: { count: 1, totalAmount } })
  const token = await stack.token(name)
  await claim(saleId, token)
  const page = await shopper(name, '/wallet/', { device: screen, locale })
  await page.locator('#balances').waitFor()
  return { page, token, saleId }
}

/** Claims the packet, and waits until the wallet has `credits` in all. */
async function claim(saleId: string, token: string, credits = 1): Promise<void> {
  await soon(async () => {
    const startToken = await startTokenOf(stack, saleId)
    return (await click(stack, `/api/sales/${saleId}/packets`, { token, body: { startToken } })).status
  }).toBe(200)
  const wallet = () => call<{ credits: readonly unknown[] }>(stack, '/api/wallet', { token })
  await soon(async () => (await wallet()).body.credits).toHaveLength(credits)
}

describe('a wallet in a real browser', () => {
  it('lists each credit with the balance, in Chinese on a phone as well, and saves them (N5)', async () => {
    const { page, token } = await winner('wendy', 1221, desktop)
    expectNoComplaints(page)
    await textOf(page, '#balances').toContain('12.21')
    await soon(() => page.locator('#credits li').allTextContents()).toEqual([
      expect.stringMatching(/Balance .*12\.21.*\+.*12\.21/),
    ])
    await claim(await openRain(1, { packets: { count: 1, totalAmount: 199 } }), token, 2)
    await page.reload()
    await soon(() => page.locator('#credits li').allTextContents()).toEqual([
      expect.stringMatching(/Balance .*14\.20.*\+.*1\.99/),
      expect.stringMatching(/Balance .*12\.21.*\+.*12\.21/),
    ])
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#credits-csv')])
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFTime \(.+\),Amount,Currency,Balance,Reference$/)
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,1\.99,CNY,14\.20,/)
    expect(lines[2]).toMatch(/,12\.21,CNY,12\.21,/)
    expect(lines).toHaveLength(3)
    await page.setViewportSize({ width: 390, height: 844 })
    await switchLanguage(page)
    await textOf(page, '#credits li:first-child').toMatch(/余额.*14\.20.*\+.*1\.99/)
  })

  it('leads to the balance that the shop holds itself (N5)', async () => {
    const { page } = await winner('hal', 1500)
    const balanceUrl = 'https://shop.example/credit'
    await page.route('**/api/wallet', async (route) => {
      const wallet = await (await route.fetch()).json()
      await route.fulfill({ json: { ...wallet, balanceUrl } })
    })
    await page.reload()
    await textOf(page, '#balances a').toBe('See your balance in the shop')
    await soon(() => page.locator('#balances a').getAttribute('href')).toBe(balanceUrl)
    await picture(page, 'wallet-in-shop')
  })
})
