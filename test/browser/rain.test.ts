/**
 * A rain of red packets in a real browser: caught by a tap on a falling packet, or by keyboard when motion is reduced; the
 * amount is in the wallet a moment later, and a shopper with a packet sees it on every further tap.
 */
import type { BrowserContextOptions, Page, Request } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openRain as openRainIn, raining, tapPacket, totalAmount, waitForStatus } from './rain.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, passRest, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const openRain = (count: number, change?: Record<string, unknown>) => openRainIn(stack, count, change)

async function visit(name: string, saleId: string, screen = phone, change: BrowserContextOptions = {}) {
  const page = await newVisitor(browser, screen, change)
  await page.clock.install()
  await signInThrough(page, stack.url, name, `/sales/${saleId}/`)
  return page
}

function tapsOf(page: Page): Request[] {
  const taps: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/packets')) taps.push(request)
  })
  return taps
}

/** Minor units of the money shown there. */
const moneyIn = async (page: Page, selector: string) => {
  const text = (await page.locator(selector).textContent()) ?? ''
  return Number(text.replace(/[^0-9]/g, ''))
}

// The tests wait for real time, so they run concurrently.
describe.concurrent('a rain of red packets in a real browser', () => {
  it('gives a packet for a tap on one, and its amount reaches the wallet (P2, P3, C7)', async () => {
    const saleId = await openRain(20)
    const page = await visit('ann', saleId)
    const wrong = complaintsOf(page)
    const taps = tapsOf(page)
    await raining(page)
    expect(await page.locator('.drop').count()).toBeGreaterThanOrEqual(6)
    await page.locator('#stage img').waitFor({ state: 'hidden' })
    await picture(page, 'rain-phone')
    // A packet does not take the focus.
    await page.locator('#buy').focus()
    await tapPacket(page)
    await page.locator('#caught').waitFor()
    const amount = await moneyIn(page, '#caught-amount')
    expect(amount).toBeGreaterThan(0)
    expect(amount).toBeLessThanOrEqual(totalAmount)
    expect(await page.locator('#status').textContent()).toContain(
      (await page.locator('#caught-amount').textContent()) ?? 'no amount',
    )
    await page.locator('#buy:focus').waitFor()

    // Nothing more is sent during the rest.
    await page.locator('#caught').click()
    expect(taps).toHaveLength(1)

    await page.locator('#purse', { hasText: 'Wallet balance' }).waitFor({ timeout: 60_000 })
    expect(await moneyIn(page, '#purse-amount')).toBe(amount)
    await waitForStatus(page, 'It’s in your wallet')
    await page.locator('#remaining', { hasText: '19 red packets left' }).waitFor()
    await picture(page, 'caught-phone')
    expect(taps.map((request) => Object.keys(request.postDataJSON()))).toEqual([['startToken']])

    // Afterwards the shop answers that it was claimed.
    await passRest(page)
    await waitUntilLit(page)
    await page.locator('#caught').click()
    await waitForStatus(page, 'You already got one')
    expect(taps).toHaveLength(2)
    expect(await page.locator('#status').textContent()).toContain(
      (await page.locator('#caught-amount').textContent()) ?? 'no amount',
    )

    // Another device shows it from the start.
    const other = await visit('ann', saleId, desktop)
    await other.locator('#stage[data-sky=caught]').waitFor({ timeout: 60_000 })
    await waitForStatus(other, 'You already got one')
    expect(await moneyIn(other, '#caught-amount')).toBe(amount)

    await page.click('#status a')
    await page.waitForURL(`${stack.url}/wallet/`)
    await page.locator('#credits li').waitFor()
    expect(await moneyIn(page, '#balances .balances__sum')).toBe(amount)
    expect(await page.locator('#credits').textContent()).toContain('Spring festival packets')
    await picture(page, 'wallet-phone')
    expect(wrong).toEqual([])
    await Promise.all([page, other].map((one) => one.context().close()))
  })

  it.each(['light', 'dark'] as const)(
    'is caught by keyboard alone with reduced motion, without automated accessibility faults, in %s',
    async (colorScheme) => {
      const saleId = await openRain(20)
      const page = await visit('bea', saleId, phone, { colorScheme, reducedMotion: 'reduce' })
      const taps = tapsOf(page)
      await raining(page)
      await waitUntilLit(page)
      const still = () =>
        page.locator('.drop').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
      const before = await still()
      await page.waitForTimeout(500)
      expect(await still()).toEqual(before)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `rain-still-${colorScheme}`)

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
      await page.locator('#purse', { hasText: 'Wallet balance' }).waitFor({ timeout: 60_000 })
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `caught-still-${colorScheme}`)

      await passRest(page)
      await waitUntilLit(page)
      await page.keyboard.press('Space')
      await waitForStatus(page, 'You already got one')
      expect(taps).toHaveLength(2)
      await page.goto(`${stack.url}/wallet/`)
      await page.locator('#credits li').first().waitFor()
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `wallet-${colorScheme}`)
      await page.context().close()
    },
    90_000,
  )

  it('shows late shoppers that all packets are gone, and clears the sky (C8)', async () => {
    const saleId = await openRain(1)
    const [first, last] = await Promise.all([visit('cat', saleId), visit('dan', saleId, desktop)])
    await Promise.all([waitUntilLit(first), waitUntilLit(last)])
    await first.click('#buy')
    await first.locator('#caught').waitFor()
    expect(await moneyIn(first, '#caught-amount')).toBe(totalAmount)
    await last.locator('#main[data-phase=sold-out]').waitFor({ timeout: 60_000 })
    await waitForStatus(last, /All red packets .*gone/)
    expect(await last.locator('#remaining').textContent()).toMatch(/^0\b/)
    await last.locator('#stage[data-sky=clear]').waitFor()
    expect(await faultsOf(last)).toEqual([])
    await picture(last, 'rain-over-desktop')
    await Promise.all([first, last].map((page) => page.context().close()))
  })

  it('shows an unknown outcome when an answer is lost, and the next tap shows the packet (P3)', async () => {
    const saleId = await openRain(20)
    const page = await visit('eve', saleId)
    await raining(page)
    await waitUntilLit(page)
    // The claim succeeds but its answer is lost, and the wallet is unavailable for a while.
    await page.route('**/api/wallet', (route) => route.abort())
    await page.route('**/packets', async (route) => void (await route.fetch().then(() => route.abort())), {
      times: 1,
    })
    await page.click('#buy')
    await waitForStatus(page, 'Checking your wallet to see')
    expect(await page.locator('#caught').isVisible()).toBe(false)
    await passRest(page)
    await waitUntilLit(page)
    await page.click('#buy')
    await waitForStatus(page, /You already got one: CN¥\d/)
    await page.locator('#caught').waitFor()
    await page.context().close()
  })

  it('sends a solved challenge with the tap, if the sale requires one (R5)', async () => {
    const saleId = await openRain(20, { challenge: 'pow' })
    const page = await visit('gus', saleId)
    const taps = tapsOf(page)
    await page.locator('#check[data-state=passed]').waitFor({ timeout: 60_000 })
    await raining(page)
    await waitUntilLit(page)
    await tapPacket(page)
    await page.locator('#caught').waitFor()
    expect(taps.map((request) => Object.keys(request.postDataJSON()).sort())).toEqual([
      ['challenge', 'startToken'],
    ])
    // The solution is used up, and the caught packet is shown without another one.
    await passRest(page)
    await waitUntilLit(page)
    await page.click('#buy')
    await waitForStatus(page, 'You already got one')
    expect(taps).toHaveLength(1)
    await page.context().close()
  })

  it('leads a guest to the sign-in and back, and sends no wallet request before (C3)', async () => {
    const saleId = await openRain(20)
    const page = await newVisitor(browser, phone)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await raining(page)
    await tapPacket(page)
    await page.click('#status a')
    await page.waitForURL(/\/sign-in\/\?uid=/)
    expect(asked).not.toContain('/api/wallet')
    await page.goto(`${stack.url}/wallet/`)
    await page.getByText('Sign in to see your wallet.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })

  it('is shown in Chinese, including amounts, to readers of Chinese', async () => {
    const saleId = await openRain(20)
    const page = await visit('fay', saleId, phone, { locale: 'zh-CN' })
    await waitUntilLit(page)
    expect(await page.locator('#buy').textContent()).toBe('抢红包')
    expect(await page.locator('.price').textContent()).toBe('¥50.00 共 20 个红包')
    expect(await page.locator('#remaining').textContent()).toBe('剩余 20 个红包')
    await page.click('#buy')
    await waitForStatus(page, /抢到.*¥\d/)
    await page.context().close()
  })

  it('weighs at most 40 kB before pictures, fits the narrowest phone, and breaks no rule of its own policy (C2)', async () => {
    const saleId = await openRain(20)
    const page = await newVisitor(browser, { ...phone, viewport: { width: 360, height: 740 } })
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
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows).toBe(false)
    expect(wrong).toEqual([])
    await page.context().close()
  })
})
