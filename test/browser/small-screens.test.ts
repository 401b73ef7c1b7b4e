/** The content that the pages of a sale, of an order, of the console and of an unknown address must show on small screens. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { createSale, openSale, placeOrder } from '../journey/support.ts'
import { phone } from './browser.ts'
import { consoleOf, mia } from './console.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { overflows, says } from './shopper.ts'
import { expectNoComplaints, newVisitor } from './visitor.ts'

const { stack, browser, shopper } = await openShop()

const hourMs = 3_600_000

async function box(page: Page, selector: string) {
  const found = await page.locator(selector).first().boundingBox()
  if (found === null) throw new Error(`${selector} is not on the page`)
  return found
}

describe('a phone', () => {
  it('shows between two windows when the next one starts, and no bar cuts it off, in both languages', async () => {
    const now = Date.now()
    const windows = [
      { startsAt: now - 2 * hourMs, endsAt: now - hourMs, stock: 3 },
      { startsAt: now + hourMs, endsAt: now + 2 * hourMs, stock: 2 },
    ]
    const saleId = await createSale(stack, { windows, ...windows[0] }, 'start')
    const page = await newVisitor(browser, { ...phone, viewport: { width: 390, height: 600 } })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    for (const words of [/^Next round: /, /^下一场/]) {
      await says(page, '#next-round', words)
      const [next, bar] = [await box(page, '#next-round'), await box(page, '.buy')]
      expect(next.y + next.height).toBeLessThanOrEqual(bar.y)
      await switchLanguage(page)
    }
  })

  it('of 360 × 640 has an option on its screen when the sale opens, beside a shop’s name of 14 letters', async () => {
    const names = ['Black / S', 'Black / M', 'White / S']
    const variants = names.map((name, n) => ({ id: `v${n}`, name, stock: 4 }))
    const { saleId } = await openSale(stack, { variants, stock: 12, limitPerShopper: 3, maxPerOrder: 3 })
    const page = await newVisitor(browser, { ...phone, viewport: { width: 360, height: 640 } })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.evaluate("document.querySelector('.wordmark span').textContent = 'Wolkenkratzers'")
    await page.locator('#main[data-phase=open]').waitFor()
    const [option, bar, top] = [await box(page, '.variant'), await box(page, '.buy'), await box(page, '.top')]
    expect(option.y + option.height / 2).toBeLessThan(bar.y)
    expect(top.height, 'one row').toBeLessThan(72)
    await soon(() => overflows(page)).toBe(false)
  })

  it('in text of 200 % shows the name of the shop, scrolls to no side, and has no bar over what the page says', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase=open]').waitFor()
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await soon(() => overflows(page)).toBe(false)
    const [name, clock, bar] = [await box(page, '.wordmark span'), await box(page, '.clock'), await box(page, '.buy')]
    expect(name.width).toBeGreaterThan(60)
    expect(bar.y).toBeGreaterThanOrEqual(clock.y + clock.height)
  })

  it('of 360 × 640 shows all of the dialog that asks for an address, from side to side', async () => {
    const delivery = { countries: ['DE'] }
    const { orderId } = await placeOrder(stack, 'narrow-ida', { delivery })
    const device = { ...phone, viewport: { width: 360, height: 640 } }
    const page = await shopper('narrow-ida', `/orders/?id=${orderId}`, { device })
    await page.click('#pay')
    await page.locator('#address').waitFor()
    const widths = await page.evaluate<[number, number]>(
      "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('#address'))",
    )
    expect(widths[0]).toBe(widths[1])
  })

  it('keeps the label of every button of an order on one line, and the name of the shopper', async () => {
    const { orderId } = await placeOrder(stack, 'label-gus', { price: 1_290_000 })
    const page = await shopper('label-gus', `/orders/?id=${orderId}`)
    await page.locator('.button--pay').waitFor()
    const buttons = await page.locator('.button:visible').all()
    expect(buttons.length).toBeGreaterThanOrEqual(4)
    for (const button of buttons) {
      expect((await button.boundingBox())?.height, await button.innerText()).toBeLessThan(60)
    }
    expect((await box(page, '#who')).height).toBeLessThan(60)
    await soon(() => overflows(page)).toBe(false)
  })

  it('shows no empty chart and no empty select in the form of red packets', async () => {
    const page = await consoleOf(browser, stack, '#/new', { ...mia, screen: phone })
    await page.locator('#kind-red-packet').check()
    const parts = ['#split-which', '#split-again', '#split canvas']
    const visible = () => Promise.all(parts.map((part) => page.locator(part).isVisible()))
    await soon(visible).toEqual([false, false, false])
  })
})

it('the table of orders has its last column on a desktop, and names variants as the reader does', async () => {
  const variants = [
    { id: 's', name: 'Small', names: { 'zh-CN': '小号' }, stock: 2 },
    { id: 'black-m', name: 'Black, M', names: { 'zh-CN': '黑色 M 码' }, stock: 2 },
  ]
  const sale = { variants, stock: 4, limitPerShopper: 2, maxPerOrder: 2 }
  const { saleId, orderId } = await placeOrder(stack, 'wide-ola', sale, { quantity: 2, variant: 's' })
  const page = await consoleOf(browser, stack, '#/audit', { ...mia, locale: 'zh-CN' })
  await page.goto(`${stack.url}/console/#/orders?sale=${saleId}`)
  await textOf(page, `tr[data-order="${orderId}"] td:nth-last-child(2)`).toBe('2 × 小号')
  const [cell, table] = [await box(page, 'tbody td:last-child'), await box(page, '#order-table .scroll')]
  expect(cell.x + cell.width).toBeLessThanOrEqual(table.x + table.width + 1)
})

it('the page of an unknown address is a complete page of the shop, which leads to the shop and to the orders', async () => {
  const page = await newVisitor(browser, phone)
  expectNoComplaints(page)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(new URL(response.url()).pathname)
  })
  const answer = await page.goto(`${stack.url}/sales/there-is-none/`)
  expect(answer?.status()).toBe(404)
  // Everything that the page requests exists: its style, and its icon if the browser requests one.
  expect(refused).toEqual(['/sales/there-is-none/'])
  await soon(() => page.locator('h1').allTextContents()).toEqual(['Page not found'])
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(await paper()).toBe('rgb(246, 244, 238)')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await paper()).toBe('rgb(20, 19, 18)')
  for (const [words, path] of [
    ['My orders', '/orders/'],
    ['Go to the shop', '/'],
  ] as const) {
    await page.goto(`${stack.url}/nothing.html`)
    await page.click(`text=${words}`)
    await page.waitForURL(stack.url + path)
    await soon(() => page.title()).not.toContain('not found')
  }
})
