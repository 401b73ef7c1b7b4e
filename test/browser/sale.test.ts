/**
 * The main job in a real browser: a marketer opens a sale in the console, the button of a waiting shopper lights by
 * itself, one click becomes an order, and late shoppers see that it sold out. Some pictures of the README
 * are made here (`SCREENSHOTS=docs/images npm test test/browser`).
 */
import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, definition, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { nextStep, saveNewSale, unfold } from './console.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openOwnShop()

const visitor = (screen: typeof phone, change?: BrowserContextOptions) => newVisitor(browser, screen, change)
const signIn = (page: Page, name: string, path: string) => signInThrough(page, stack.url, name, path)

/** The lit or grey button, as assistive technology sees it. */
const isLit = (page: Page) =>
  page
    .locator('#buy')
    .getAttribute('aria-disabled')
    .then((value) => value === 'false')

function buysOf(context: BrowserContext): string[] {
  const buys: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/orders')) buys.push(request.url())
  })
  return buys
}

describe('one sale in a real browser', () => {
  it('goes from the flip in the console to the order on a phone (C2, C5, C6, C7, C8)', async () => {
    const saleId = 'stoneware-mug'
    const marketer = await visitor(desktop)
    const wrongInConsole = complaintsOf(marketer)
    // The link that `npm start` prints fills the form in; the person only has to send it.
    await marketer.goto(
      `${stack.url}/sign-in/?as=mia&role=marketer&return=${encodeURIComponent('/console/')}`,
    )
    await marketer.click('button[type=submit]')
    await marketer.waitForURL(`${stack.url}/console/`)

    // The marketer makes the sale by hand.
    await marketer.click('#new-sale')
    await marketer.fill('#field-title', 'Stoneware mug')
    await unfold(marketer, 'more-what')
    await marketer.fill('#field-saleId', saleId)
    await marketer.fill('#field-description', 'Thrown by hand in a small kiln. There is exactly one.')
    await marketer.fill('#field-pictures-0-src', '/assets/pictures/mug.svg')
    await marketer.fill('#field-price', '0.10')
    await marketer.fill('#field-currency', 'CNY')
    await marketer.fill('#field-stock', '-2')
    await marketer.click('#next')
    await marketer.locator('#field-stock[aria-invalid="true"]').waitFor()
    await marketer.fill('#field-stock', '1')
    await nextStep(marketer)
    await marketer.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await marketer.fill('#field-endsAt', localTime(Date.now() + 3_600_000))
    await saveNewSale(marketer)
    await marketer.click('[data-action=warm]')
    await marketer.locator('#confirm-actions .button--main').click()
    await marketer.locator('#phase[data-phase=scheduled]').waitFor()

    // A shopper waits on a phone: the button is grey and cannot be pressed.
    const shopper = await visitor(phone)
    const wrongOnPhone = complaintsOf(shopper)
    const buys = buysOf(shopper.context())
    await signIn(shopper, 'ann', `/sales/${saleId}/`)
    await shopper.locator('#main[data-phase=scheduled]').waitFor()
    expect(await isLit(shopper)).toBe(false)
    await shopper.locator('#buy').click({ force: true })
    await shopper.locator('#buy').press('Enter')
    expect(buys).toEqual([])

    // The flip asks first; then the waiting page lights by itself.
    await marketer.click('[data-action=start]')
    await marketer.locator('#confirm-actions .button--main').click()
    await waitUntilLit(shopper)
    await picture(shopper, 'open-phone')

    // Several quick clicks send one request.
    const button = shopper.locator('#buy')
    await button.click()
    await button.click({ force: true, noWaitAfter: true }).catch(() => undefined)
    await shopper.waitForURL(/\/orders\/\?id=/)
    await shopper.locator('#order[data-status=awaiting-payment]').waitFor({ timeout: 60_000 })
    expect(await shopper.locator('#order').textContent()).toMatch(/0\.10/)
    expect(buys).toHaveLength(1)
    await picture(shopper, 'order-phone')

    // Late shoppers see that it sold out.
    const late = await visitor(desktop)
    await signIn(late, 'bob', `/sales/${saleId}/`)
    await late.locator('#main[data-phase=sold-out]').waitFor({ timeout: 60_000 })
    expect(await late.locator('#remaining').textContent()).toMatch(/^0\b/)
    expect(await isLit(late)).toBe(false)

    await marketer.locator('#live-sold', { hasText: /^1$/ }).waitFor({ timeout: 60_000 })
    expect(wrongInConsole).toEqual([])
    expect(wrongOnPhone).toEqual([])
    await Promise.all([marketer, shopper, late].map((page) => page.context().close()))
  })

  it('rests ten seconds after a click, across a reload, and sends nothing meanwhile (C7)', async () => {
    const { saleId } = await openSale(stack, { stock: 5, limitPerShopper: 5, maxPerOrder: 5 })
    // Another shopper leaves two, so that an order of three is rejected and the shopper stays on the page.
    const rival = await visitor(desktop)
    await signIn(rival, 'rival', `/sales/${saleId}/`)
    await waitUntilLit(rival)
    await rival.fill('#quantity', '3')
    await rival.click('#buy')
    await rival.waitForURL(/\/orders\/\?id=/)

    const page = await visitor(phone)
    const buys = buysOf(page.context())
    await signIn(page, 'cat', `/sales/${saleId}/`)
    await waitUntilLit(page)
    await page.fill('#quantity', '3')
    await page.click('#buy')
    const clickedAt = Date.now()
    await page.locator('#buy[data-state=resting]').waitFor()
    expect(await page.locator('#status').textContent()).toContain('2')
    await page.locator('#buy').click({ force: true })
    await page.reload()
    await page.locator('#main[data-phase=open]').waitFor()
    expect(await isLit(page)).toBe(false)
    expect(buys).toHaveLength(1)

    await waitUntilLit(page)
    expect(Date.now() - clickedAt).toBeGreaterThanOrEqual(9_500)
    await Promise.all([page, rival].map((one) => one.context().close()))
  })

  it('counts down to an armed start and lights then, by the shop’s clock, not the phone’s (C5)', async () => {
    const saleId = 'armed-ticket'
    const startsAt = Date.now() + 15_000
    await control(
      stack,
      '/sales',
      definition({
        saleId,
        startsAt,
        pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }],
      }),
    )
    await control(stack, `/sales/${saleId}/start`, {})
    const page = await visitor(phone)
    // This phone is an hour fast.
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await signIn(page, 'dan', `/sales/${saleId}/`)
    await page.locator('#main[data-phase=scheduled]').waitFor()
    const countdown = page.locator('#countdown')
    const before = await countdown.textContent()
    await expect.poll(() => countdown.textContent(), { timeout: 10_000 }).not.toBe(before)
    expect(await isLit(page)).toBe(false)
    await waitUntilLit(page)
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt - 100)
    await page.context().close()
  })

  it('opens the card of an armed sale on the index by the clock, without a publication at that time (C5)', async () => {
    const saleId = 'armed-lamp'
    const startsAt = Date.now() + 12_000
    await control(stack, '/sales', definition({ saleId, startsAt }))
    await control(stack, `/sales/${saleId}/start`, {})
    const page = await visitor(desktop)
    await page.goto(`${stack.url}/`)
    const card = page.locator(`.card[data-sale-id=${saleId}]`)
    await card.and(page.locator('[data-phase=scheduled]')).waitFor()
    await card.and(page.locator('[data-phase=open]')).waitFor({ timeout: 60_000 })
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt - 100)
    expect(await card.locator('.badge').textContent()).toBe('Live now')
    await page.context().close()
  })

  it('lets a shopper sign out from the keyboard, and forgets the session', async () => {
    const page = await visitor(phone)
    await page.goto(`${stack.url}/orders/`)
    expect(await page.locator('#sign-out').isVisible()).toBe(false)
    await signIn(page, 'eve|of:the+long@name', '/orders/')
    await page.locator('#who', { hasText: 'eve|of:the+long@name' }).waitFor()
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows).toBe(false)
    await page.locator('#who').focus()
    await page.keyboard.press('Tab')
    await page.locator('#sign-out:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${stack.url}/`)
    await page.locator('#who', { hasText: 'Sign in' }).waitFor()
    await page.goto(`${stack.url}/orders/`)
    await page.getByText('Sign in to see your orders.').waitFor()
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('sluice_'))).toEqual([])
    await page.context().close()
  })

  it('names an unavailable component to the marketer, shows no number for it, and counts a repeated press once', async () => {
    const { saleId } = await openSale(stack, { stock: 7 })
    const page = await visitor(desktop)
    await page.goto(`${stack.url}/sign-in/?as=moe&role=marketer&return=${encodeURIComponent('/console/')}`)
    await page.click('button[type=submit]')
    await page.waitForURL(`${stack.url}/console/`)
    await page.goto(`${stack.url}/console/#/sale/${saleId}`)
    const remaining = page.locator('#live-remaining')
    await remaining.getByText(/^7$/).waitFor()
    await page.locator('#health[data-state=good]').waitFor()

    await stack.setFault({ target: 'redis', mode: 'down' })
    await page.locator('#health-line', { hasText: 'The live stock (Redis) isn’t responding' }).waitFor()
    expect(await remaining.textContent()).toBe('–')
    expect(await page.locator('#live-queue').textContent()).toBe('0')
    expect(await faultsOf(page)).toEqual([])
    await page.fill('#delta', '5')
    await page.click('#stock-add')
    await page.locator('#status', { hasText: 'the change is counted once' }).waitFor()

    await stack.setFault(null)
    await page.click('#stock-add')
    await page.locator('#status', { hasText: 'Done.' }).waitFor()
    await remaining.getByText(/^12$/).waitFor()
    await page.locator('#health[data-state=good]').waitFor()
    await page.context().close()
  })

  it('offers End sale again while Redis does not know that the sale was closed (G1-G3)', async () => {
    const { saleId } = await openSale(stack, { stock: 7 })
    const page = await visitor(desktop)
    await page.goto(
      `${stack.url}/sign-in/?as=moe&role=marketer&return=${encodeURIComponent(`/console/#/sale/${saleId}`)}`,
    )
    await page.click('button[type=submit]')
    await page.locator('[data-action=pause]').waitFor()

    await stack.setFault({ target: 'redis', mode: 'down' })
    await page.click('[data-action=close]')
    await page.locator('#confirm-actions .button--danger').click()
    await page.locator('#phase[data-phase=ended]').waitFor({ timeout: 60_000 })
    await page.locator('#health', { hasText: 'Press “End sale” again' }).waitFor()

    await stack.setFault(null)
    await page.click('[data-action=close]')
    await page.locator('#confirm-actions .button--main').click()
    await page.locator('#health[data-state=good]').waitFor()
    expect(await page.locator('#actions button').count()).toBe(0)
    await page.context().close()
  })

  it('shows the whole sale page in Chinese to readers of Chinese', async () => {
    const { saleId } = await openSale(stack, { stock: 3 })
    const page = await visitor(phone, { locale: 'zh-CN' })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    expect(await page.locator('html').getAttribute('lang')).toMatch(/^zh/)
    expect(await page.locator('#buy').textContent()).toBe('立即抢购')
    expect(await page.locator('#remaining').textContent()).toBe('剩余 3 件')
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'has no automated accessibility fault, in %s',
    async (colorScheme) => {
      const { saleId } = await openSale(stack, { stock: 3, maxPerOrder: 2, limitPerShopper: 2 })
      const page = await visitor(phone, { colorScheme, reducedMotion: 'reduce' })
      await signIn(page, 'flo', '/orders/')
      for (const path of ['/', `/sales/${saleId}/`, '/orders/', '/sign-in/?as=flo', '/console/']) {
        await page.goto(stack.url + path)
        await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
        expect(await faultsOf(page), path).toEqual([])
      }
      await page.context().close()
    },
    90_000,
  )

  it('weighs at most 40 kB before pictures, and breaks no rule of its own policy (C2)', async () => {
    const { saleId } = await openSale(stack)
    const page = await visitor(phone)
    const wrong = complaintsOf(page)
    let bytes = 0
    page.on('response', async (response) => {
      if (response.request().resourceType() === 'image') return
      const sizes = await response.request().sizes()
      bytes += sizes.responseBodySize + sizes.responseHeadersSize
    })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThanOrEqual(40_000)
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

/** The value of a `datetime-local` input, in the zone of this machine and so of its browser. */
function localTime(epochMs: number): string {
  const at = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 19)
}
