/**
 * Shops of three markets in a real browser, from the price to the money that goes back: a German one is paid before it ships and
 * takes withdrawals, a Chinese one and an Arabic one sell on a phone and on a desktop.
 */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { Language } from '../../core/language.ts'
import { call, control, eventually, openSale, payOnPage, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { berlin, buyersOf, fill } from './buyer.ts'
import { consoleOf, mia } from './console.ts'
import { soon, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { buyOn, fastForwardTo, overflows } from './shopper.ts'
import { faultsOf, newVisitor, picture, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openOwnShop({ mail: true, maxCopySeconds: 1 })
const buyer = buyersOf(stack, shopper)

/** Shops that sell in that language alone, with who sells and all links of the law. */
async function openBrand(language: Language, name: string, links: readonly string[]): Promise<void> {
  const purposes = ['imprint', 'terms', 'privacy', 'withdrawal'] as const
  const { revision } = await control<{ revision: number }>(stack, '/brand')
  const brand = {
    ...{ name, languages: [language] },
    seller: { name, address: 'Torstraße 1, 10119 Berlin', email: 'shop@lantern.example', phone: '+49 30 1' },
    links: purposes.map((one, at) => ({ label: { [language]: links[at] }, href: `/${one}`, for: one })),
  }
  await control(stack, '/brand', { revision, brand }, 'PUT')
  // The CDN keeps the page of orders of the brand before for `maxCopySeconds`.
  await eventually(async () => {
    const page = await (await fetch(`${stack.url}/orders/`)).text()
    return page.includes(`<html lang="${language}"`) || undefined
  })
}

async function isClean(page: Page, name: string): Promise<void> {
  await picture(page, name)
  expect(await faultsOf(page), name).toEqual([])
  expect(await overflows(page), name).toBe(false)
}

/** The text of an element, with usual spaces in place of those at which no line breaks. */
const spacedText = (page: Page, selector: string) =>
  soon(async () => (await page.locator(selector).innerText()).replaceAll(/[\u00a0\u202f]/g, ' '))

const idOf = (page: Page) => new URL(page.url()).searchParams.get('id') ?? ''

const mailsAbout = (to: string, subject: string) =>
  stack.mails().filter((mail) => mail.to.includes(to) && mail.subject.startsWith(subject))

/** The first e-mail to that address with such a subject. */
const mailAbout = (to: string, subject: string) => eventually(async () => mailsAbout(to, subject).at(-1))

type Purchase = {
  saleId: string
  notes: string
  address: Readonly<Record<string, string>>
  country: string
  button: string
}

/** Buys on the page of the sale and pays, and stays on the page of the order. */
async function buyAndPay(page: Page, name: string, { notes, address, country, button }: Purchase) {
  await waitUntilLit(page)
  // What the price includes stands beside it while the sale is open.
  await spacedText(page, '#price-notes:visible').toBe(notes)
  await isClean(page, `${name}-sale`)
  await buyOn(page)
  await page.locator('#order[data-status=awaiting-payment]').waitFor()
  await page.click('#pay')
  await page.selectOption('#address [name=postalCountry]', country)
  await fill(page, address)
  await page.click('#address-save')
  await page.locator('#pay[aria-disabled=false]', { hasText: button }).waitFor()
  await isClean(page, `${name}-to-pay`)
  await page.click('#pay')
  await page.waitForURL(/\/local\/pay\//)
  await page.click('button[value=pay]')
  await page.waitForURL(/\/orders\/\?id=/)
  await fastForwardTo(page.locator('#order[data-status=paid]'))
  await isClean(page, `${name}-paid`)
}

describe('a German shop that ships later than it is paid', async () => {
  const title = 'Steinzeugbecher (Vorbestellung)'
  const prices = { price: 1990, listPrice: 2490, lowestPrice: 2490, currency: 'EUR', taxPercent: 19 }
  const delivery = { countries: ['DE'], costs: { DE: 490 } }
  const german = { title, description: 'Versand ab dem 15. März.', market: 'DE', ...prices, delivery }

  /** Two members of the staff press at once, and the money goes back once. */
  async function refundOnce(orderId: string, to: string): Promise<void> {
    const desks = await Promise.all(
      ['mia', 'max'].map((name) => consoleOf(browser, stack, `#/orders/${orderId}`, { ...mia, name, locale: 'de-DE' })),
    )
    const button = `#refund-withdrawn-${orderId}`
    for (const desk of desks) await spacedText(desk, button).toBe('24,80 € erstatten')
    await Promise.all(desks.map((desk) => desk.click(button)))
    await mailAbout(to, 'Erstattung gesendet')
    for (const desk of desks) {
      await desk.reload()
      await desk.locator(`[data-withdrawn="${orderId}"]`).waitFor()
      expect(await desk.locator(button).count()).toBe(0)
    }
    const { orders } = await control<{ orders: FoundOrder[] }>(stack, '/orders/find', { find: orderId })
    expect(orders.map(({ status, amount }) => [status, amount])).toEqual([['refunded', 2480]])
    expect(orders.flatMap(({ refunds }) => refunds)).toMatchObject([{ amount: 2480 }])
    expect(mailsAbout(to, 'Erstattung gesendet')).toHaveLength(1)
  }

  /** The receipt has what was stated, with date and time (Directive 2011/83/EU Art. 11a(4)). */
  async function isReceived(to: string, name: string): Promise<void> {
    const { subject, text } = await mailAbout(to, 'Widerruf eingegangen')
    expect(subject).toBe(`Widerruf eingegangen: ${title}`)
    expect(text).toContain('Hiermit widerrufe ich den Vertrag')
    expect(text).toMatch(/\d{4}.*\d\d:\d\d/)
    expect(text).toContain(name)
    expect(mailsAbout(to, 'Widerruf eingegangen')).toHaveLength(1)
  }

  it('takes the withdrawal of a customer on a phone, with a receipt by e-mail and one refund', async () => {
    await openBrand('de', 'Lantern GmbH', ['Impressum', 'AGB', 'Datenschutz', 'Widerrufsbelehrung'])
    const { saleId } = await openSale(stack, german)
    const page = await shopper('markets-anna', `/sales/${saleId}/`, { device: phone, locale: 'de-DE' })
    const wrong = complaintsOf(page)
    await buyAndPay(page, 'german', {
      ...{ saleId, country: 'DE', button: 'zahlungspflichtig bestellen' },
      notes: 'inkl. 19 % MwSt. · zzgl. 4,90 € Versandkosten · Niedrigster Preis der letzten 30 Tage: 24,90 €',
      address: { ...berlin, email: 'anna@example.com' },
    })
    await spacedText(page, '#bill-net').toBe('20,84 €')
    const orderId = idOf(page)
    await page.click('#open-withdrawal')
    await page.fill('[name="withdraw.name"]', 'Anna Schäfer')
    await isClean(page, 'german-withdrawal')
    await page.dblclick('#withdraw-confirm')
    await textOf(page, '#withdraw-said').toMatch(/^Ihr Widerruf ist am .+ eingegangen\..+anna@example\.com/)
    await isReceived('anna@example.com', 'Anna Schäfer')
    await refundOnce(orderId, 'anna@example.com')
    expect(wrong).toEqual([])
  })

  it('takes that of a guest on a desktop, who has the number of the order and its e-mail address', async () => {
    const { page: own } = await buyer('markets-bernd', german, { locale: 'de-DE' })
    const [orderId, token] = [idOf(own), await stack.token('markets-bernd')]
    const { 'addressLines.0': line, ...rest } = berlin
    const email = 'bernd@example.com'
    const body = { ...rest, email, addressLines: [line], postalCountry: 'DE', language: 'de' }
    const path = `/api/orders/${orderId}/delivery`
    expect((await call(stack, path, { method: 'PUT', token, body })).status).toBe(200)
    await payOnPage(stack, orderId, token)
    const order = await eventually(async () => {
      const written = await writtenOrder(stack, orderId, token)
      return written.status === 'paid' ? written : undefined
    })

    const guest = await newVisitor(browser, desktop, { locale: 'de-DE' })
    const wrong = complaintsOf(guest)
    await guest.goto(`${stack.url}/orders/#withdraw`)
    await guest.fill('[name="withdraw.orderNumber"]', String(order.orderNumber))
    await guest.fill('[name="withdraw.email"]', email)
    await isClean(guest, 'german-guest')
    await guest.click('#withdraw-confirm')
    await guest.locator('#withdraw-said').waitFor()
    const { text } = await mailAbout(email, 'Vertrag widerrufen')
    const [link = ''] = /http\S+#withdraw\S+/.exec(text) ?? []
    const followed = await guest.context().newPage()
    await followed.goto(link)
    await followed.fill('[name="withdraw.name"]', 'Bernd Beispiel')
    await followed.fill('[name="withdraw.email"]', email)
    await isClean(followed, 'german-guest-statement')
    await followed.click('#withdraw-confirm')
    await textOf(followed, '#withdraw-said').toMatch(/^Ihr Widerruf ist am .+ eingegangen\./)
    await isReceived(email, 'Bernd Beispiel')
    await refundOnce(orderId, email)
    expect(wrong).toEqual([])
  })
})

const screens: [string, BrowserContextOptions][] = [
  ['phone', phone],
  ['desktop', desktop],
]

describe('a Chinese shop', () => {
  it.each(screens)('sells with the price, the bill and the seven days of its law, on a %s', async (name, device) => {
    await openBrand('zh-CN', '灯笼商店', ['证照信息', '服务条款', '隐私政策', '退货说明'])
    const { saleId } = await openSale(stack, {
      ...{ title: '粗陶马克杯', description: '手工拉坯。', market: 'CN', taxPercent: 13 },
      ...{ price: 12_900, listPrice: 15_900, lowestPrice: 15_900, currency: 'CNY' },
      delivery: { countries: ['CN'], costs: { CN: 800 }, freeAbove: 19_900 },
    })
    const page = await shopper(`markets-wang-${name}`, `/sales/${saleId}/`, { device, locale: 'zh-CN' })
    const wrong = complaintsOf(page)
    await buyAndPay(page, `chinese-${name}`, {
      ...{ saleId, country: 'CN', button: '¥137.00' },
      notes: '已含 13% 增值税 · 另加运费 ¥8.00 · 满 ¥199.00 包邮 · 近 7 日最低价：¥159.00',
      address: {
        ...{ administrativeArea: '广东省', locality: '广州市', dependentLocality: '天河区' },
        ...{ 'addressLines.0': '天河路 385 号', name: '王小明' },
        ...{ phone: '13800138000', email: 'wang@example.cn' },
      },
    })
    await page.click('#open-withdrawal')
    await page.locator('#withdraw-confirm').waitFor()
    await isClean(page, `chinese-${name}-withdrawal`)
    expect(wrong).toEqual([])
  })
})

describe('an Arabic shop', () => {
  it.each(screens)('sells from right to left in a currency with three decimals, on a %s', async (name, device) => {
    await openBrand('ar', 'متجر الفانوس', ['بيانات المتجر', 'الشروط', 'الخصوصية', 'الإرجاع'])
    const { saleId } = await openSale(stack, {
      ...{ title: 'كوب خزفي', description: 'مصنوع يدويًا.', taxPercent: 5, price: 12_500, currency: 'KWD' },
      delivery: { countries: ['DE'], costs: { DE: 1500 } },
    })
    const page = await shopper(`markets-amal-${name}`, `/sales/${saleId}/`, { device, locale: 'ar' })
    const wrong = complaintsOf(page)
    await buyAndPay(page, `arabic-${name}`, {
      ...{ saleId, country: 'DE', button: '14.000', address: berlin },
      notes: 'شامل الضريبة 5% · تُضاف رسوم توصيل \u200f1.500 د.ك.\u200f',
    })
    await page.locator('html[lang=ar][dir=rtl]').waitFor()
    expect(wrong).toEqual([])
  })
})
