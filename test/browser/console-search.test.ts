/** The search over many sales in a real browser: by words, type and status, by mouse and by keyboard. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { control, definition } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { type ConsoleSession, consoleOf } from './console.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop()

const hourMs = 3_600_000
const session = (screen: BrowserContextOptions, locale = 'en-GB'): ConsoleSession => ({
  ...{ name: 'mia', roles: ['marketer'], screen, locale },
})

/** The titles of the sales that are found, once the search is over. */
async function found(page: Page, news: RegExp): Promise<string[]> {
  await page.locator('#search-found', { hasText: news }).waitFor()
  return page.locator('#sales strong').allTextContents()
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.id')

beforeAll(async () => {
  const start = Date.now() + 24 * hourMs
  for (let n = 0; n < 120; n++) {
    const titles = { en: { title: `Handmade mug ${n}` }, 'zh-CN': { title: `手工陶杯 ${n}` } }
    const coupon = { kind: 'coupon', price: 0, title: `Voucher ${n}` }
    await control(
      stack,
      '/sales',
      definition({
        saleId: `item-${String(n).padStart(3, '0')}`,
        startsAt: start + n * hourMs,
        endsAt: start + (n + 1) * hourMs,
        ...(n % 10 === 0 ? { title: `Mug ${n}`, translations: titles } : { title: `Lamp ${n}` }),
        ...(n % 15 === 7 && coupon),
      }),
    )
  }
  await control(stack, '/sales/item-000/warm', {})
  await control(stack, '/sales/item-000/start', {})
}, 120_000)

describe('the search over 120 sales', () => {
  it('finds words in the titles of both languages, and keeps them in the address', async () => {
    const page = await consoleOf(browser, stack, '', session(desktop))
    await page.locator('[data-sale-id=item-119]').waitFor()
    expect(await page.locator('#sales > li').count()).toBe(50)
    await page.focus('#search-find')
    await page.keyboard.type('陶杯')
    expect(await found(page, /12 sales found/)).toContain('Handmade mug 110')
    expect(await focused(page)).toBe('search-find')
    expect(new URL(page.url()).hash).toBe(`#/?${new URLSearchParams({ find: '陶杯' })}`)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'search-found-en')

    await page.selectOption('#search-state', 'scheduled')
    expect(await found(page, /1 sale found/)).toEqual(['Handmade mug 0'])
    await page.goBack()
    expect(await found(page, /12 sales found/)).toHaveLength(12)
    await page.goBack()
    await page.locator('[data-sale-id=item-119]').waitFor()
    expect(await page.locator('#search-find').inputValue()).toBe('')
    await page.context().close()
  })

  it('says what it did not find, and shows all again', async () => {
    const page = await consoleOf(browser, stack, '#/?find=teapot&kind=coupon', session(desktop))
    const none = page.locator('.empty', { hasText: 'No sales match “teapot” · Coupons.' })
    await none.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'search-none-en')
    // Any text that is typed reaches the system as it is.
    for (const text of ['50 % * / ?\'"', '陶'.repeat(40), '🍵'.repeat(20)]) {
      await page.fill('#search-find', text)
      await page.locator('.empty', { hasText: `No sales match “${text}” · Coupons.` }).waitFor()
    }
    await page.click('#search-clear')
    await page.locator('[data-sale-id=item-119]').waitFor()
    expect(await focused(page)).toBe('search-find')
    expect(new URL(page.url()).hash).toBe('#/')
    await page.selectOption('#search-kind', 'coupon')
    expect(await found(page, /8 sales found/)).toContain('Voucher 7')
    await page.context().close()
  })

  it('shows the answer to what is asked now, although an earlier one comes later', async () => {
    const page = await consoleOf(browser, stack, '', session(desktop))
    await page.locator('[data-sale-id=item-119]').waitFor()
    const early = Promise.withResolvers<void>()
    const passed = Promise.withResolvers<void>()
    await page.route('**/api/control/sales?find=lamp', async (route) => {
      await early.promise
      await route.continue()
      passed.resolve()
    })
    const late = page.waitForRequest('**/api/control/sales?find=lamp')
    await page.fill('#search-find', 'lamp')
    await page.press('#search-find', 'Enter')
    await late
    await page.fill('#search-find', 'mug')
    await page.press('#search-find', 'Enter')
    expect(await found(page, /12 sales found/)).toHaveLength(12)
    const answered = page.waitForResponse('**/api/control/sales?find=lamp')
    early.resolve()
    await Promise.all([passed.promise, answered])
    expect(await found(page, /12 sales found/)).not.toContain('Lamp 1')
    expect(await page.locator('#search-find').inputValue()).toBe('mug')
    await page.context().close()
  })

  it('keeps the box, its focus and its text while the list refreshes', async () => {
    const page = await consoleOf(browser, stack, '#/?find=lamp', session(desktop))
    await page.locator('#sales > li').first().waitFor()
    await page.click('#search-find')
    await page.keyboard.press('End')
    const box = await page.locator('#search-find').elementHandle()
    await control(stack, '/sales/item-119', { title: 'Lamp of brass' }, 'PATCH')
    await page.locator('[data-sale-id=item-119]', { hasText: 'Lamp of brass' }).waitFor()
    expect(await focused(page)).toBe('search-find')
    expect(await box?.evaluate((element) => element.isConnected)).toBe(true)
    await page.locator('#more-sales').click()
    await page.locator('#search-found', { hasText: /^\d+ sales found$/ }).waitFor()
    expect(await page.locator('#sales > li').count()).toBeGreaterThan(90)
    await page.context().close()
  })

  it('is for phones, in Chinese and in the dark', async () => {
    const screen = { ...phone, colorScheme: 'dark' } as const
    const page = await consoleOf(browser, stack, '', session(screen, 'zh-CN'))
    await page.locator('[data-sale-id=item-119]').waitFor()
    await picture(page, 'search-zh-phone')
    await page.fill('#search-find', '手工')
    expect(await found(page, /找到 12 个活动/)).toContain('手工陶杯 110')
    await page.selectOption('#search-state', 'waiting')
    expect(await found(page, /找到 11 个活动/)).not.toContain('手工陶杯 0')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'search-found-zh-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.context().close()
  })

  it('says how far it has come among thousands of sales, and stops when it is asked to', async () => {
    const page = await consoleOf(browser, stack, '', session(desktop))
    await page.locator('[data-sale-id=item-119]').waitFor()
    const held = Promise.withResolvers<void>()
    const day = Date.UTC(2025, 2, 12, 12)
    await page.route('**/api/control/sales?*find=rare*', async (route) => {
      const after = new URL(route.request().url()).searchParams.get('after')
      if (after !== null) await held.promise
      await route.fulfill({ json: { sales: [], next: `${after === null ? day : day - 864e5}.item-001` } })
    })
    await page.fill('#search-find', 'rare')
    await page.locator('#search-progress', { hasText: 'Searching… back to 12 Mar 2025' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'search-reading-en')
    await page.click('#search-stop')
    held.resolve()
    await page.locator('.empty', { hasText: 'Nothing found for “rare”, back to 11 Mar 2025.' }).waitFor()
    await page.locator('#more-sales', { hasText: 'Search older sales' }).waitFor()
    await picture(page, 'search-stopped-en')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })
})
