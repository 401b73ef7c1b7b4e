/** Tracking numbers in a real browser: a file is checked and imported in the console, and the shopper's page shows them. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, openSale, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, holdBack, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const overflows = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

/** A shopper on the page of an order that they have paid, and its number. */
async function payer(name: string, saleId: string, locale: string): Promise<{ page: Page; orderId: string }> {
  const page = await newVisitor(browser, phone, { locale })
  await signInThrough(page, stack.url, name, `/sales/${saleId}/`)
  await waitUntilLit(page)
  await page.click('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
  await page.locator('#order[data-status=awaiting-payment]').waitFor({ timeout: 60_000 })
  await page.click('#pay')
  await page.waitForURL(/\/local\/pay\//)
  await page.click('button[value=pay]')
  await page.waitForURL(/\/orders\/\?id=/)
  await page.locator('#order[data-status=paid]').waitFor({ timeout: 60_000 })
  return { page, orderId: (await page.locator('#order-id').textContent()) ?? '' }
}

describe('tracking numbers', () => {
  it.each([
    {
      ...{ locale: 'en-GB', screen: desktop, roles: ['support'] as const },
      ready: 'To import: 1. Up to date: 0. Can’t be imported: 2.',
      results: ['Not paid yet: don’t send it', 'carrier can’t be read', 'Mark as shipped'],
      ...{ ignored: 'Ignored columns: note', button: 'Import 1 line', done: 'Imported 1 of 1 line.' },
      ...{ title: 'Your order is on its way', lead: 'It has left our warehouse.' },
      arrived: 'Your order was delivered',
    },
    {
      ...{ locale: 'zh-CN', screen: phone, roles: ['marketer'] as const },
      ready: '可导入 1 行，0 行已是最新，2 行无法导入。',
      results: ['订单未付款，请勿发货', 'carrier 格式不正确', '标记为已发货'],
      ...{ ignored: '已忽略的列：note', button: '导入 1 行', done: '已导入 1 / 1 行。' },
      ...{ title: '您的订单已发货', lead: '商品已从仓库发出，请留意查收。' },
      arrived: '您的订单已签收',
    },
  ])(
    'are checked and imported from a file in $locale, and shown to the shopper on a phone',
    async ({ locale, screen, roles, ready, results, ignored, button, done, title, lead, arrived }) => {
      const sale = await openSale(stack, { stock: 5, price: 10 })
      const name = `payer-${locale.toLowerCase()}`
      const { page: order, orderId } = await payer(name, sale.saleId, locale)
      const token = await stack.token(`other-${name}`)
      const unpaid = await buy(stack, sale.saleId, { startToken: sale.startToken, token })
      await writtenOrder(stack, unpaid.body.orderId, token)
      const page = await consoleOf(browser, stack, `#/sale/${sale.saleId}`, {
        ...{ name: 'wes', roles: [...roles], screen, locale },
      })
      const wrong = [complaintsOf(page), complaintsOf(order)]
      await unfold(page, 'shipments')
      await page.locator('#ship-check').click()
      await page.locator('#field-shipments[aria-invalid=true]').waitFor()

      const choose = async (lines: readonly string[]) => {
        const text = `\ufefforderId,carrier,tracking,status,note\r\n${lines.join('\r\n')}\r\n`
        const buffer = Buffer.from(text)
        await page
          .locator('#field-shipments')
          .setInputFiles({ name: 'tracking.csv', mimeType: 'text/csv', buffer })
        await page.click('#ship-check')
      }
      await choose([
        `${orderId},SF Express,SF 1234-5678,shipped,fragile`,
        `${unpaid.body.orderId},DHL,1,shipped,`,
        `${sale.saleId}-${'a'.repeat(26)},<b>DHL</b>,1,shipped,`,
      ])
      await page.locator('#ship-ready', { hasText: ready }).waitFor()
      expect(await page.locator('#shipments tbody tr').count()).toBe(3)
      expect(await page.locator('#shipments td:last-child').allTextContents()).toEqual(results)
      expect(await page.locator('#shipments .ignored').textContent()).toBe(ignored)
      expect(await page.locator('#ship-do').textContent()).toBe(button)
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await picture(page, `shipments-${locale}`)
      await order.reload()
      await order.locator('#order[data-status=paid]').waitFor()

      await page.click('#ship-do')
      await page.locator('#ship-done', { hasText: done }).waitFor()
      await order.reload()
      await order.locator('#order[data-status=shipped]').waitFor()
      expect(await order.locator('#order-title').textContent()).toBe(title)
      expect(await order.locator('#order-lead').textContent()).toBe(lead)
      expect(await order.locator('#shipment-carrier').textContent()).toBe('SF Express')
      const link = order.locator('#track')
      expect(await link.textContent()).toBe('SF 1234-5678')
      expect(await link.getAttribute('href')).toBe(
        'https://www.sf-express.com/chn/sc/waybill/waybill-detail/SF12345678',
      )
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
      await order.click('#copy-tracking')
      await order.locator('#shipment-note:not(:empty)').waitFor({ state: 'attached' })
      expect(await faultsOf(order)).toEqual([])
      expect(await overflows(order)).toBe(false)
      await picture(order, `shipped-${locale}`)

      await choose([`${orderId},SF Express,SF 1234-5678,delivered,`])
      await page.click('#ship-do')
      await page.locator('#ship-done', { hasText: done }).waitFor()
      await order.reload()
      await order.locator('#order[data-status=delivered]').waitFor()
      expect(await order.locator('#order-title').textContent()).toBe(arrived)
      expect(await order.locator('#shipment-delivered').count()).toBe(1)
      await order.click('#to-orders')
      await order.locator('.badge[data-status=delivered]').waitFor()

      await page.click('[data-tab=orders]')
      await page.fill('#field-find', orderId)
      await page.click('#find')
      const card = page.locator(`[data-order="${orderId}"][data-status=delivered]`)
      await card.locator('dd', { hasText: 'SF Express · SF 1234-5678' }).waitFor()
      expect(await card.locator('dd a[target=_blank]').getAttribute('href')).toMatch(/SF12345678$/)
      expect(await faultsOf(page)).toEqual([])
      expect(wrong).toEqual([[], []])
      await Promise.all([page, order].map((one) => one.context().close()))
    },
  )

  it('announce nothing in the next view', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      ...{ name: 'wes', roles: ['support'], screen: desktop },
    })
    await unfold(page, 'shipments')
    const line = `${saleId}-${'a'.repeat(26)},DHL,1,shipped`
    const buffer = Buffer.from(`orderId,carrier,tracking,status\n${line}\n`)
    await page.setInputFiles('#field-shipments', { name: 'tracking.csv', mimeType: 'text/csv', buffer })
    const answer = await holdBack(page, 'POST', /\/shipments/)
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.click('#ship-check')
    await asked
    await page.click('[data-tab=orders]')
    await page.locator('#field-find').waitFor()
    await answer()
    expect(await page.locator('#status').textContent()).toBe('')
    await page.context().close()
  })

  it('are not offered to a viewer, and a file that is no CSV is refused before anything is sent', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const viewer = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      ...{ name: 'vic', roles: ['viewer'], screen: desktop },
    })
    await viewer.locator('#phase[data-phase=open]').waitFor()
    expect(await viewer.locator('#shipments:visible').count()).toBe(0)
    await viewer.context().close()

    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      ...{ name: 'wes', roles: ['support'], screen: desktop },
    })
    const calls: string[] = []
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const refuse = async (buffer: Buffer, words: string) => {
      await page.locator('#field-shipments').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer })
      await page.click('#ship-check')
      await page.locator('#field-shipments-error', { hasText: words }).waitFor()
    }
    await unfold(page, 'shipments')
    await refuse(Buffer.from('orderId,tracking\n1,2\n'), 'The column carrier is missing.')
    await refuse(Buffer.alloc(4_000_001, 'x'), 'larger than 4 MB')
    await refuse(Buffer.from('orderId,carrier', 'utf16le'), 'not a CSV file in UTF-8')

    // As a spreadsheet that is open beside the page saves it.
    const folder = mkdtempSync(join(tmpdir(), 'tracking-'))
    const file = join(folder, 'tracking.csv')
    writeFileSync(file, 'orderId,carrier,status\n')
    // Chromium compares the times of a file in whole seconds.
    utimesSync(file, new Date(), new Date(Date.now() - 10_000))
    await page.locator('#field-shipments').setInputFiles(file)
    // The browser notes the time of the file when it is first read.
    await page.evaluate("document.querySelector('#field-shipments').files[0].arrayBuffer().then(() => {})")
    writeFileSync(file, 'orderId,carrier,status,tracking\n1,DHL,shipped,2\n')
    await page.click('#ship-check')
    await page.locator('#field-shipments-error', { hasText: 'The file has changed.' }).waitFor()
    rmSync(folder, { recursive: true })
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
    await page.context().close()
  })
})
