/** The first screen of a sale in the console, before it opens, while it sells and after its end. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, buyWhenThereIsRoom, control, definition, startTokenOf } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openShop()

const textOf = (page: Page, id: string) => page.locator(`#${id}`).textContent()

/** Whether the reader of this screen sees all of the element without scrolling. */
async function isInSight(page: Page, id: string): Promise<boolean> {
  const box = await page.locator(`#${id}`).boundingBox()
  const size = page.viewportSize()
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height
}

type Reader = {
  screen: BrowserContextOptions
  locale: string
  inSight: string[]
  words: Record<'opens' | 'about' | 'gone' | 'end', RegExp>
}

const readers: [string, Reader][] = [
  [
    'on a light desktop in English',
    {
      screen: { ...desktop, colorScheme: 'light' },
      locale: 'en-GB',
      inSight: ['health', 'live-remaining', 'live-sold', 'live-waiting', 'live-sellOut', 'demand'],
      words: {
        opens: /^\d:\d\d:\d\d$/,
        about: /^about \d+$/,
        gone: /^sold out in (\d+(\.\d)? s|\d+ min( \d+ s)?)$/,
        end: /^Ended by hand\. Everything was sold\.$/,
      },
    },
  ],
  [
    'on a dark phone in Chinese',
    {
      screen: { ...phone, colorScheme: 'dark' },
      locale: 'zh-CN',
      inSight: ['health', 'live-remaining', 'live-sold'],
      words: {
        opens: /^\d:\d\d:\d\d$/,
        about: /^约 \d+$/,
        gone: /^用时 (\d+(\.\d)? 秒|\d+ 分钟|\d+ 分 \d+ 秒)抢完$/,
        end: /^已手动结束。已全部售出。$/,
      },
    },
  ],
]

describe('the first screen of a sale', () => {
  it.each(readers)(
    'shows what is left, who waits and how it ended, %s',
    async (_name, { screen, locale, words, inSight }) => {
      const saleId = `overview-${locale.toLowerCase()}`
      const startsAt = Date.now() + 7_200_000
      await control(
        stack,
        '/sales',
        definition({ saleId, stock: 8, startsAt, endsAt: startsAt + 3_600_000, admitPerSecond: 4 }),
      )
      await control(stack, `/sales/${saleId}/start`, {})
      const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
        name: 'mia',
        roles: ['marketer'],
        screen,
        locale,
      })
      const wrong = complaintsOf(page)

      await page.locator('#overview-opens', { hasText: words.opens }).waitFor()
      expect(await textOf(page, 'live-remaining')).toBe('8')
      expect(await textOf(page, 'overview-offer')).toContain('¥0.10')
      expect(await page.locator('#live-waiting').isVisible()).toBe(false)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `overview-before-${locale}`)

      await control(stack, `/sales/${saleId}/start`, { now: true })
      const startToken = await startTokenOf(stack, saleId)
      await page.locator('#phase[data-phase=open]').waitFor()
      const shoppers = await Promise.all(
        Array.from({ length: 30 }, (_, i) => stack.token(`overview-${locale}-${i}`)),
      )
      const ask = (some: readonly string[]) =>
        Promise.all(some.map((token) => buy(stack, saleId, { token, startToken })))
      const answers = await ask(shoppers)
      const waiting = shoppers.filter((_, i) => answers[i]?.status === 429)
      expect(waiting.length).toBeGreaterThan(10)
      await page.locator('#live-waiting', { hasText: words.about }).waitFor()
      await page.locator('#live-sold', { hasText: /^[1-9]/ }).waitFor()
      await page.locator('#demand').waitFor()
      for (const id of inSight) {
        expect(await isInSight(page, id), id).toBe(true)
      }
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `overview-open-${locale}`)

      await Promise.all(waiting.map((token) => buyWhenThereIsRoom(stack, saleId, { token, startToken })))
      await page.locator('#live-sellOut', { hasText: words.gone }).waitFor()
      expect(await textOf(page, 'live-remaining')).toBe('0')

      await unfold(page, 'health')
      await page.locator('#check').waitFor()
      await page.locator('#live-booked', { hasText: /^8$/ }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `overview-health-${locale}`)
      await page.locator('#health > summary').press('Enter')
      expect(await page.locator('#check').isVisible()).toBe(false)

      await control(stack, `/sales/${saleId}/close`, {})
      await page.locator('#overview-end', { hasText: words.end }).waitFor()
      expect(await page.locator('#live-waiting').isVisible()).toBe(false)
      await picture(page, `overview-ended-${locale}`)
      expect(wrong).toEqual([])
      await page.context().close()
    },
  )

  it('is reached, unfolded and folded from the keyboard, and fits on the narrowest phone', async () => {
    const saleId = 'overview-keys'
    await control(stack, '/sales', definition({ saleId }))
    await control(stack, `/sales/${saleId}/start`, {})
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      name: 'mia',
      roles: ['marketer'],
      screen: { ...phone, viewport: { width: 320, height: 640 } },
    })
    const summary = page.locator('#health > summary')
    await summary.waitFor()
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.locator('#check').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('#check:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#status', { hasText: 'match' }).waitFor()
    for (const id of ['reserve-panel', 'refund-panel', 'settings']) await unfold(page, id)
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'overview-narrow')
    await page.context().close()
  })
})
