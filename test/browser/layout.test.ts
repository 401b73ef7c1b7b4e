/** What a phone must show completely, in a real browser. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, control, definition, openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough } from './visitor.ts'

const { stack, browser } = await openOwnShop()

const hour = 3_600_000
const shortPhone: BrowserContextOptions = { ...phone, viewport: { width: 390, height: 600 } }
const title = 'Handmade stoneware mug with a lid, second firing, in celadon blue'

async function box(page: Page, selector: string) {
  const found = await page.locator(selector).first().boundingBox()
  if (found === null) throw new Error(`${selector} is not on the page`)
  return found
}

async function marketer(path: string, locale: string): Promise<Page> {
  const page = await newVisitor(browser, phone, { locale })
  await page.goto(
    `${stack.url}/sign-in/?as=mia&role=marketer&return=${encodeURIComponent(`/console/${path}`)}`,
  )
  await page.click('button[type=submit]')
  await page.waitForURL(`${stack.url}/console/${path}`)
  return page
}

describe('a phone', () => {
  it.each(['en-GB', 'zh-CN'])(
    'shows between two windows when the next one starts, and no bar cuts it off, in %s',
    async (locale) => {
      const now = Date.now()
      const saleId = `two-windows-${locale.toLowerCase()}`
      const windows = [
        { startsAt: now - 2 * hour, endsAt: now - hour, stock: 3 },
        { startsAt: now + hour, endsAt: now + 2 * hour, stock: 2 },
      ]
      await control(stack, '/sales', definition({ saleId, windows, ...windows[0] }))
      await control(stack, `/sales/${saleId}/start`, {})
      const page = await newVisitor(browser, shortPhone, { locale })
      await page.goto(`${stack.url}/sales/${saleId}/`)
      await page.locator('#next-round:not(:empty)').waitFor()
      const [next, bar] = [await box(page, '#next-round'), await box(page, '.buy')]
      expect(next.y + next.height).toBeLessThanOrEqual(bar.y)
      await picture(page, `sale-between-${locale}`)
      await page.context().close()
    },
    60_000,
  )

  it('gives a long title the width of its card, and keeps every button label on one line', async () => {
    const { saleId, startToken } = await openSale(stack, {
      title,
      price: 1_290_000,
      limitPerShopper: 2,
      maxPerOrder: 2,
    })
    const { body } = await buy(stack, saleId, { token: await stack.token('gus'), startToken })
    const page = await newVisitor(browser, phone)
    await signInThrough(page, stack.url, 'gus', '/')
    const card = `[data-sale-id=${saleId}]`
    await page.locator(`${card}[data-phase=open]`).waitFor()
    expect((await box(page, `${card} .card__title`)).width).toBeGreaterThan(
      0.9 * (await box(page, `${card} .card__body`)).width,
    )
    await picture(page, 'index-long-title')

    await page.goto(`${stack.url}/orders/?id=${body.orderId}`)
    await page.locator('.button--pay').waitFor()
    await picture(page, 'order-buttons')
    for (const button of await page.locator('.button:visible').all()) {
      expect((await button.boundingBox())?.height, await button.innerText()).toBeLessThan(60)
    }
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows).toBe(false)
    await page.context().close()
  })

  it.each(['en-GB', 'zh-CN'])(
    'shows every column of the audit, in %s',
    async (locale) => {
      await openSale(stack)
      const page = await marketer('#/audit', locale)
      await page.locator('#audit td').first().waitFor()
      for (const cell of await page.locator('#audit tr:first-child td').all()) {
        const { x, width } = (await cell.boundingBox()) ?? { x: -1, width: 0 }
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(390)
      }
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `console-audit-${locale}`)
      await page.context().close()
    },
    60_000,
  )

  it('shows no empty chart and no empty select in the form of red packets', async () => {
    const page = await marketer('#/new', 'en-GB')
    await page.locator('#kind-red-packet').check()
    const parts = ['#split-which', '#split-again', '#split canvas']
    expect(await Promise.all(parts.map((part) => page.locator(part).isVisible()))).toEqual([
      false,
      false,
      false,
    ])
    await page.context().close()
  })
})
