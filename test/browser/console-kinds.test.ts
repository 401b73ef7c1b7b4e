/**
 * Coupons and red packets through the console, in a real browser: the form asks for what the kind needs, shows how the money
 * may fall, and the page of the sale shows where it went.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import { openSystem } from '../../bench/system.ts'
import { buy, click, eventually, startTokenOf } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { nextStep, saveNewSale } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openShop()
const behind = await openSystem(stack.url)
afterAll(() => behind.close())

async function marketer(screen: typeof phone): Promise<Page> {
  const page = await newVisitor(browser, screen, { acceptDownloads: true })
  const console = encodeURIComponent('/console/')
  await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${console}`)
  await page.click('button[type=submit]')
  await page.waitForURL(`${stack.url}/console/`)
  return page
}

/** Opens the form of a new sale and chooses its kind with the arrow keys alone. */
async function chooseKind(page: Page, steps: number): Promise<void> {
  await page.click('#new-sale')
  await page.locator('#kind-goods').focus()
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
}

async function describeSale(page: Page, title: string): Promise<void> {
  await page.fill('#field-title', title)
  await page.fill('#field-description', 'For quick shoppers.')
}

/** Presses the button of a flip and agrees. */
async function flip(page: Page, action: string): Promise<string> {
  await page.click(`[data-action=${action}]`)
  const said = (await page.locator('#confirm-text').textContent()) ?? ''
  await page.locator('#confirm-actions .button--main').click()
  return said
}

const tile = (page: Page, name: string, hasText: RegExp) =>
  page.locator(`#live-${name}`, { hasText }).waitFor({ timeout: 60_000 })

const visible = (page: Page, names: readonly string[]) =>
  Promise.all(names.map((name) => page.locator(`#field-${name}`).isVisible()))

describe('a coupon sale in the console', () => {
  it('is created without a price, and its codes can be downloaded', async () => {
    const page = await marketer(desktop)
    const wrong = complaintsOf(page)
    await chooseKind(page, 1)
    expect(await page.locator('#kind-coupon').isChecked()).toBe(true)
    const absent = ['price', 'paymentWindowSeconds', 'packets-count']
    expect(await visible(page, absent)).toEqual([false, false, false])
    await describeSale(page, 'Tea voucher')
    expect(await page.locator('#field-pictures-0-src').inputValue()).toBe('/assets/pictures/ticket.svg')
    await page.fill('#field-stock', '20')
    await nextStep(page)
    await page.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await page.fill('#field-limitPerShopper', '2')
    await page.fill('#field-maxPerOrder', '2')
    await page.fill('#field-coupons-validUntil', localTime(Date.now()))
    await page.click('#next')
    // Coupons must be valid beyond the end of the sale.
    await page.locator('#field-coupons-validUntil[aria-invalid="true"]:focus').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.fill('#field-coupons-validUntil', localTime(Date.now() + 30 * 86_400_000))

    // A half-typed date is not treated as an empty one.
    const validFrom = page.locator('#field-coupons-validFrom')
    await validFrom.pressSequentially('11')
    await page.click('#next')
    await page.locator('#field-coupons-validFrom-error', { hasText: 'Enter a date and time.' }).waitFor()
    await validFrom.clear()
    await picture(page, 'console-coupon-form')
    await saveNewSale(page)

    expect(await flip(page, 'start')).toContain('20 coupons, free of charge')
    await page.locator('#phase[data-phase=open]').waitFor()
    expect(await page.locator('.facts').textContent()).toContain('Valid until')
    const startToken = await startTokenOf(stack, 'tea-voucher')
    const bought = await buy(stack, 'tea-voucher', {
      token: await stack.token('kind-ann'),
      quantity: 2,
      startToken,
    })
    expect(bought.status).toBe(202)
    await tile(page, 'sold', /^2$/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-coupon-sale')

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#codes-download')])
    expect(download.suggestedFilename()).toBe('tea-voucher-coupons.csv')
    const [headings, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(headings).toMatch(/^code,orderId,/)
    expect(lines).toHaveLength(2)
    expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set([bought.body.orderId]))

    await page.click('.back')
    const row = page.locator('[data-sale-id=tea-voucher]')
    expect(await row.textContent()).toMatch(/Free · 20 coupons.*Coupons/)
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

describe('a sale of red packets in the console (P1)', () => {
  it('shows how the money may be split before the sale, and where it went afterwards', async () => {
    const page = await marketer(desktop)
    const wrong = complaintsOf(page)
    await chooseKind(page, 2)
    expect(await page.locator('#kind-red-packet').isChecked()).toBe(true)
    expect(await visible(page, ['price', 'stock', 'limitPerShopper'])).toEqual([false, false, false])
    await describeSale(page, 'Spring rain')
    await page.fill('#field-currency', 'CNY')
    await page.fill('#field-packets-count', '1000')

    // Too little for a thousand packets: the error is at the field, and no example is drawn.
    const total = page.locator('#field-packets-totalAmount')
    await total.fill('9.99')
    await page.locator('#field-packets-totalAmount-error', { hasText: 'At least 10.00 CNY' }).waitFor()
    expect(await page.locator('#split-chart').isVisible()).toBe(false)

    await total.fill('5000')
    await page.locator('#split-chart').waitFor()
    expect(await total.getAttribute('aria-invalid')).toBe('false')
    expect(await page.locator('.split__bars span').count()).toBeGreaterThanOrEqual(15)
    expect(await page.locator('#split-mean').textContent()).toBe('CN¥5.00')
    expect(await page.locator('#split').textContent()).toContain('in secret')
    expect(await page.locator('#split-summary').textContent()).toMatch(
      /^1,000 red packets from CN¥0\.\d\d to CN¥/,
    )
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#split').scrollIntoViewIfNeeded()
    await picture(page, 'console-split')

    // From the keyboard: another example differs.
    const before = await page.locator('#split-summary').textContent()
    await page.locator('#split-again').press('Enter')
    await eventually(async () => {
      const now = await page.locator('#split-summary').textContent()
      return now === before ? undefined : true
    })

    // Two waves: each has its own amounts, and the example may be of either.
    await nextStep(page)
    await page.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await page.click('#window-add')
    await page.click('#window-add')
    await page.fill('#field-windows-1-stock', '10')
    await page.fill('#field-windows-1-totalAmount', '100')
    await page.selectOption('#split-which', { label: 'Round 2' })
    await page.locator('#split-summary', { hasText: /^10 red packets/ }).waitFor({ state: 'attached' })
    await page.fill('#field-windows-0-stock', '4')
    await page.fill('#field-windows-0-totalAmount', '20')
    await saveNewSale(page)

    await page.locator('#windows').waitFor()
    expect(await page.locator('#windows').textContent()).toMatch(
      /4 red packets · CN¥20\.00.*10 red packets · CN¥100\.00/,
    )

    // Until the packets are split, all of it may still change.
    await page.click('#edit')
    await page.fill('#field-windows-1-stock', '12')
    await page.fill('#field-windows-1-totalAmount', '110.50')
    await page.click('#save')
    await page.locator('#windows', { hasText: '12 red packets · CN¥110.50' }).waitFor()

    expect(await flip(page, 'warm')).toContain('CN¥130.50 are split into 16 red packets, in secret')
    await page.locator('#phase[data-phase=scheduled]').waitFor()
    expect(await page.locator('#stock-line').textContent()).toContain('cannot be changed')
    expect(await page.locator('#delta').isVisible()).toBe(false)
    await tile(page, 'left', /^CN¥130\.50$/)

    // Warmed packets cannot be edited, and the form shows no example for them.
    await page.click('#edit')
    await page.locator('#field-windows-0-totalAmount[readonly]').waitFor()
    expect(await page.locator('#kind-goods').count()).toBe(0)
    expect(await page.locator('#split').isVisible()).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    await page.goBack()

    expect(await flip(page, 'start')).toContain('4 red packets with CN¥20.00')
    await page.locator('#phase[data-phase=open]').waitFor()
    const startToken = await startTokenOf(stack, 'spring-rain')
    let claimed = 0
    for (const who of ['kind-ann', 'kind-bob', 'kind-cy']) {
      const token = await stack.token(who)
      const answer = await click<{ amount: number }>(stack, '/api/sales/spring-rain/packets', {
        token,
        body: { startToken },
      })
      expect(answer.status).toBe(200)
      claimed += answer.body.amount
    }
    await tile(page, 'remaining', /^1$/)
    await tile(page, 'sold', /^3$/)
    const money = (amount: number) => new RegExp(`^CN¥${(amount / 100).toFixed(2)}$`)
    await tile(page, 'claimed', money(claimed))
    await tile(page, 'left', money(13_050 - claimed))
    expect(await page.locator('#live-returned').textContent()).toBe('–')
    expect(await page.locator('#refund').isVisible()).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-rain')

    // Final: unclaimed money goes back once every claim is credited.
    await page.click('[data-action=close]')
    expect(await page.locator('#confirm-text').textContent()).toContain('what is left goes back to you')
    await page.locator('#confirm-actions .button--danger').click()
    await page.locator('#phase[data-phase=ended]').waitFor()
    await behind.reconcile()
    await tile(page, 'returned', money(13_050 - claimed))
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'fits on a phone and has no accessibility fault, in %s',
    async (colorScheme) => {
      const page = await marketer({ ...phone, colorScheme })
      await chooseKind(page, 2)
      await page.fill('#field-packets-count', '500')
      await page.fill('#field-packets-totalAmount', '2500')
      await page.locator('#split-chart').waitFor()
      expect(await faultsOf(page)).toEqual([])
      const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
      expect(overflows).toBe(false)
      await page.context().close()
    },
    60_000,
  )
})

/** The value of a `datetime-local` input, in the zone of this machine and so of its browser. */
function localTime(epochMs: number): string {
  const at = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 19)
}
