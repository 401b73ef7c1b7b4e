/** The report of a sale in a real browser: downloaded in the console, and opened from its file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Download, Page } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import type { Role } from '../../core/roles.ts'
import { call, click, eventually, openSale, payOnPage, type Won, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openShop()
const folder = mkdtempSync(join(tmpdir(), 'report-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Pays, and waits until the order says so. */
async function pay(orderId: string, token: string): Promise<void> {
  await payOnPage(stack, orderId, token)
  await eventually(async () => {
    const { status } = (await call<OrderView>(stack, `/api/orders/${orderId}`, { token })).body
    return status === 'paid' ? status : undefined
  })
}

/** A sale of three mugs, sold out to two shoppers, of whom the first has paid for two. */
async function soldSale(name: string): Promise<string> {
  const variants = [
    { id: 's', name: 'Small <b>1</b>', stock: 1 },
    { id: 'm', name: 'Medium', stock: 2 },
  ]
  const { saleId, startToken } = await openSale(stack, {
    ...{ variants, stock: 3, price: 1290, currency: 'EUR', limitPerShopper: 2, maxPerOrder: 2 },
  })
  const order = async (who: string, basket: Record<string, number>) => {
    const token = await stack.token(who)
    const won = await click<Won>(stack, `/api/sales/${saleId}/orders`, {
      token,
      body: { basket, startToken },
    })
    expect(won.status).toBe(202)
    await writtenOrder(stack, won.body.orderId, token)
    return { token, orderId: won.body.orderId }
  }
  const { orderId, token } = await order(`${name}-ann`, { s: 1, m: 1 })
  await order(`${name}-bob`, { m: 1 })
  await pay(orderId, token)
  return saleId
}

async function downloadOf(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)])
  return download
}

const overflows = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

describe('the report of a sale', () => {
  it.each([
    {
      ...{ locale: 'en-GB', screen: desktop, colorScheme: 'light' as const },
      ...{ roles: ['viewer'] satisfies Role[], zone: 'Europe/Berlin' },
      headline: /^Sold out in .+: 3 of 3 units to 2 shoppers; 1 order paid, €25\.80\.$/,
      ...{ paid: 'Paid', shop: 'Shop' },
    },
    {
      ...{ locale: 'zh-CN', screen: phone, colorScheme: 'dark' as const },
      ...{ roles: ['marketer'] satisfies Role[], zone: 'Asia/Shanghai' },
      headline: /^.+售罄：共 3 件，售出 3 件，2 位用户抢到；1 笔订单已付款，金额 €25\.80。$/,
      ...{ paid: '已付款', shop: '商店' },
    },
  ])(
    'is downloaded in the console and read from its file, in $locale',
    async ({ locale, screen, colorScheme, roles, zone, headline, paid, shop }) => {
      const saleId = await soldSale(`report-${locale.toLowerCase()}`)
      const look = { ...screen, colorScheme, timezoneId: zone }
      const console = await consoleOf(browser, stack, `#/sale/${saleId}`, {
        ...{ name: 'mary', roles, screen: look, locale },
      })
      const wrong = complaintsOf(console)
      await console.locator('#report-html').waitFor()
      const download = await downloadOf(console, '#report-html')
      expect(download.suggestedFilename()).toBe(`${saleId}-report.html`)
      await console.locator('#tables').scrollIntoViewIfNeeded()
      expect(await overflows(console)).toBe(false)
      expect(await faultsOf(console)).toEqual([])
      await picture(console, `report-panel-${locale}`)

      const csv = await downloadOf(console, '#report-csv')
      expect(csv.suggestedFilename()).toBe(`${saleId}-report.csv`)
      const lines = (await readFile(await csv.path(), 'utf8')).split('\r\n')
      expect(lines).toContain('units,sold,3,units')
      expect(lines).toContain('payments,revenue,25.80,EUR')

      const file = join(folder, `${saleId}.html`)
      await download.saveAs(file)
      const page = await newVisitor(browser, look, { locale })
      const refused = complaintsOf(page)
      await page.goto(pathToFileURL(file).href)
      expect(await page.locator('.headline').textContent()).toMatch(headline)
      expect(await page.locator('html').getAttribute('lang')).toBe(locale === 'zh-CN' ? 'zh-CN' : 'en')
      expect(await page.locator('.shop').textContent()).toBe(shop)
      expect(await page.locator('footer').textContent()).toContain(zone)
      expect(await page.locator('th', { hasText: 'Small <b>1</b>' }).count()).toBe(1)
      expect(await page.locator('th', { hasText: paid }).count()).toBeGreaterThan(0)
      expect(await overflows(page)).toBe(false)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `report-${locale}`)

      // The numbers of the chart open from the keyboard.
      await page.locator('summary').first().focus()
      await page.keyboard.press('Enter')
      await page.locator('details[open] table').waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect([wrong, refused]).toEqual([[], []])
      await page.context().close()
      await console.context().close()
    },
  )

  it('is not offered to support, who may not read tables', async () => {
    const saleId = (await openSale(stack, {})).saleId
    const console = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      ...{ name: 'sam', roles: ['support'], screen: desktop },
    })
    await console.locator('#phase[data-phase=open]').waitFor()
    expect(await console.locator('#report-html').isVisible()).toBe(false)
    await console.context().close()
  })
})
