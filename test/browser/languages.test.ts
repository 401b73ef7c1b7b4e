/** A shop in other languages than the usual ones: from right to left, and with long words. */

import type { BrowserContextOptions } from '@playwright/test'
import { expect, it } from 'vitest'
import { ordersMessages } from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'
import { control, openSale } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { consoleOf, mia } from './console.ts'
import { soon, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { buyOn, overflows, showsStatus } from './shopper.ts'
import { anOrder } from './tour/answers.ts'
import { answer } from './tour/visits.ts'
import { expectNoComplaints, faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser, shopper } = await openOwnShop()
const brand = { languages: ['ar', 'de', 'fr', 'ja'], tagline: { ar: 'نور للجميع', de: 'Licht für alle' } }
const texts = {
  title: 'كوب خزفي',
  translations: { de: { title: 'Steinzeugbecher' }, ja: { title: '陶器のマグ' }, fr: { title: 'Tasse en grès' } },
}
const { saleId } = await openSale(stack, { ...texts, stock: 40, price: 129_000, currency: 'EUR' })
await control(stack, '/brand', { revision: 0, brand }, 'PUT')

const screens: Readonly<Record<string, BrowserContextOptions>> = { phone, desktop }

async function looksRight(page: Parameters<typeof faultsOf>[0], name: string): Promise<void> {
  await picture(page, name)
  expect(await overflows(page), name).toBe(false)
  const inHeader = page.locator('.wordmark span, .top nav a')
  const cutOff = await inHeader.evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
  )
  expect(cutOff, name).toEqual([])
  expect(await faultsOf(page), name).toEqual([])
}

it.each([
  ['ar', 'phone', 'rtl', 'كوب خزفي', 'اشتر الآن'],
  ['ar', 'desktop', 'rtl', 'كوب خزفي', 'اشتر الآن'],
  ['de', 'phone', 'ltr', 'Steinzeugbecher', ''],
  ['fr', 'desktop', 'ltr', 'Tasse en grès', ''],
  ['ja', 'phone', 'ltr', '陶器のマグ', ''],
  // Not offered: the language of the shop.
  ['ko', 'phone', 'rtl', 'كوب خزفي', ''],
])('the page of a sale is shown in %s on a %s', async (locale, screen, dir, title) => {
  const page = await newVisitor(browser, screens[screen] ?? phone, { locale })
  expectNoComplaints(page)
  await page.goto(`${stack.url}/sales/${saleId}/`)
  await soon(() => page.locator('html').getAttribute('dir')).toBe(dir)
  await textOf(page, 'h1').toBe(title)
  await page.locator('#buy[aria-disabled="false"], #buy[data-kind]').first().waitFor()
  await looksRight(page, `sale-${locale}-${screen}`)
  await page.goto(stack.url)
  await textOf(page, '.card__title').toBe(title)
  await looksRight(page, `shop-${locale}-${screen}`)
  // A list, for there are more than two.
  await page.selectOption('#language', 'de')
  await textOf(page, '.card__title').toBe('Steinzeugbecher')
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
})

it('an order is bought and shown in Arabic', async () => {
  const page = await shopper('amal', `/sales/${saleId}/`, { locale: 'ar' })
  await buyOn(page)
  await showsStatus(page, 'awaiting-payment')
  await looksRight(page, 'order-ar-phone')
  await page.goto(`${stack.url}/orders/`)
  await page.locator('.badge').first().waitFor()
  await looksRight(page, 'orders-ar-phone')
})

it('the words of the law on an order button fit into the narrowest phone, in each language', async () => {
  const page = await shopper('bea', '/orders/', { device: { ...phone, viewport: { width: 320, height: 640 } } })
  const bill = { goods: 1990, delivery: 490, total: 2480 } as const
  const order = anOrder({ saleId, amount: 1990, currency: 'EUR', delivery: 'stored', bill })
  await answer(page, /\/api\/orders\/[^/?]+$/, order)
  await page.goto(`${stack.url}/orders/?id=${order.orderId}`)
  for (const language of brand.languages) {
    await page.selectOption('#language', language)
    await page.locator('#pay', { hasText: words(ordersMessages['bill.order'], language) }).waitFor()
    await looksRight(page, `order-button-${language}`)
  }
})

it.each(['ar', 'ja'])('the console is used in %s', async (locale) => {
  const page = await consoleOf(browser, stack, '', { ...mia, locale })
  expectNoComplaints(page)
  await page.locator(`[href="#/sale/${saleId}"]`).first().waitFor()
  await looksRight(page, `console-${locale}`)
  await page.goto(`${stack.url}/console/#/sale/${saleId}`)
  await page.locator('#live-remaining').waitFor()
  await looksRight(page, `console-sale-${locale}`)
  await page.goto(`${stack.url}/console/#/new`)
  await page.locator('#sale-form, form').first().waitFor()
  await looksRight(page, `console-form-${locale}`)
  await page.goto(`${stack.url}/console/#/brand`)
  await page.locator('#brand-form').waitFor()
  expect(await page.locator('#brand-offers-de').isChecked()).toBe(true)
  await looksRight(page, `console-brand-${locale}`)
})
