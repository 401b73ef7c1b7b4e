import { describe, expect, it } from 'vitest'
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import { type Language, defaultLanguages as languages } from '../../../core/language.ts'
import { formatMoney } from '../../../core/money.ts'
import { cancelReasons, orderReasons } from '../../../core/orders/order.ts'
import { orderNumberOf, spacedNumber } from '../../../core/orders/order-number.ts'
import type { MailFacts } from '../../../core/people/mail.ts'
import { type MailReader, mailMoment, oneLine, shortLine } from '../../../templates/mails/content.ts'
import { renderMail } from '../../../templates/mails/render.ts'

const saleId = 'stoneware-mug' as SaleId
const shopperId = 'ann' as ShopperId
const orderId = `${saleId}-abcdefghijklmnopqrstuvwxyz` as OrderId
const order = { saleId, shopperId, orderId, quantity: 2, amount: 4800, currency: 'EUR' }
const payBy = Date.UTC(2026, 10, 22, 8, 30)

const mails: readonly MailFacts[] = [
  { ...order, kind: 'confirmed', hasCodes: false },
  { ...order, kind: 'confirmed', amount: 0, hasCodes: true },
  { ...order, kind: 'payment-due', payBy },
  ...[...orderReasons, undefined].map((reason): MailFacts => {
    return { ...order, kind: 'cancelled', reason, isRefundDue: false }
  }),
  { ...order, kind: 'cancelled', reason: 'by-marketer', isRefundDue: true },
  { ...order, kind: 'cancelled', amount: 0, reason: 'by-marketer', isRefundDue: false },
  { ...order, kind: 'refunded', returned: [{ amount: 4800, currency: 'EUR' }] },
  { ...order, kind: 'shipped', shipment: undefined },
  { ...order, kind: 'shipped', shipment: { carrier: 'DHL', tracking: '00340434' } },
  { kind: 'packet-credited', saleId, shopperId, packet: 7, amount: 888, currency: 'CNY' },
]

const readerOf = (mail: MailFacts, language: Language, change: Partial<MailReader> = {}): MailReader => ({
  language,
  title: 'Stoneware mug',
  variants: [],
  brand: {},
  shopUrl: 'https://shop.example',
  timeZone: 'Asia/Shanghai',
  unsubscribeUrl: mail.kind === 'packet-credited' ? 'https://shop.example/api/unsubscribe?token=a.b' : undefined,
  ...change,
})

const all = mails.flatMap((mail) => languages.map((language) => ({ mail, language })))
const render = (mail: MailFacts, language: Language, change: Partial<MailReader> = {}) =>
  renderMail(mail, readerOf(mail, language, change))

const textIn = (html: string) => html.replace(/<title>.*<\/title>|<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')

describe('every email', () => {
  it.each(all)('has all its words in text and HTML: $mail.kind in $language', ({ mail, language }) => {
    const { subject, text, html } = render(mail, language)
    for (const part of [subject, text, textIn(html)]) {
      expect(part).not.toMatch(/[{}]|undefined|null|NaN|\[object/)
      expect(part.trim()).not.toBe('')
    }
    expect(subject).toContain('Stoneware mug')
    expect(html).toContain(`<html lang="${language}">`)
    expect(/[\u4e00-\u9fff]/.test(text)).toBe(language === 'zh-CN')
    // Both forms have the same words.
    for (const line of text.split('\n')) {
      const [first = ''] = line.split(/: |：/)
      if (line !== '-- ') expect(html.replaceAll('&#39;', "'")).toContain(first)
    }
  })

  it.each(all)('loads nothing, and links to the shop alone: $mail.kind in $language', ({ mail, language }) => {
    const { html } = render(mail, language)
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form|table)|url\(|@import|\son\w+=/)
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => new URL(link).origin)
    const carrier = mail.kind === 'shipped' && mail.shipment ? ['https://www.dhl.com'] : []
    expect(new Set(links)).toEqual(new Set([...carrier, 'https://shop.example']))
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('<meta name="format-detection" content="telephone=no">')
  })

  it('says until when to pay, in the zone of the settings with its offset, and where', () => {
    const { text, html } = render({ ...order, kind: 'payment-due', payBy }, 'en')
    expect(text).toContain('Pay by November 22, 2026 at 16:30 UTC+8 or the order is cancelled automatically.')
    expect(text).toContain(`Pay €48.00: https://shop.example/orders/?id=${orderId}`)
    expect(html).toContain(`href="https://shop.example/orders/?id=${orderId}"`)
  })

  it('names the zone of the default setting', () => {
    expect(mailMoment(payBy, 'en', 'UTC')).toBe('November 22, 2026 at 08:30 UTC')
    expect(mailMoment(payBy, 'zh-CN', 'Asia/Shanghai')).toMatch(/2026年11月22日.*16:30/)
    expect(mailMoment(payBy, 'zh-CN', 'Asia/Shanghai')).toContain('UTC+8')
  })

  it('says why an order was cancelled, and where its money is', () => {
    const cancelled = { ...order, kind: 'cancelled' } as const
    for (const reason of cancelReasons) {
      const texts = languages.map((language) => render({ ...cancelled, reason, isRefundDue: false }, language).text)
      expect(new Set(texts).size).toBe(2)
    }
    const due = render({ ...cancelled, reason: 'by-marketer', isRefundDue: true }, 'en').text
    expect(due).toContain('The shop cancelled this order.\nYour payment will be refunded in full.')
    const free = render({ ...cancelled, amount: 0, reason: 'by-marketer', isRefundDue: false }, 'en').text
    expect(free).not.toMatch(/charged|refund/)
  })

  it('says what went back, of each currency', () => {
    const returned = [
      { amount: 4800, currency: 'EUR' },
      { amount: 70, currency: 'USD' },
    ]
    expect(render({ ...order, kind: 'refunded', returned }, 'en').text).toContain(
      'We sent €48.00 and $0.70 back to you.',
    )
  })

  it('is a receipt once the order is paid: delivery and who sells', () => {
    const seller = { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' }
    const paid: MailFacts = { ...order, kind: 'confirmed', hasCodes: false, deliveryCost: 490 }
    const change = { brand: { seller } }
    const { text } = render(paid, 'en', change)
    expect(text).toContain('Amount: €48.00\nDelivery, included: €4.90\n')
    expect(text).toContain('Sold by: Lantern GmbH · Torstraße 1 · +49 30 1 · a@lantern.example')
    expect(render({ ...order, kind: 'payment-due', payBy }, 'en', change).text).not.toContain('Sold by')
  })

  it.each(['de', 'fr', 'ar'])('keeps an amount and the groups of an order number together, in %s', (language) => {
    const orderNumber = orderNumberOf(42)
    const { text, html } = render({ ...order, orderNumber, kind: 'payment-due', payBy }, language)
    const amount = formatMoney(order, language).replaceAll('\u200f', '')
    for (const part of [spacedNumber(orderNumber), amount]) {
      expect(part).toMatch(/\d\u00a0/)
      expect(text).toContain(part)
      expect(html).toContain(`<bdi>${part}</bdi>`)
    }
  })

  it.each([
    [{ carrier: 'SF Express' }, 'https://www.sf-express.com/chn/sc/waybill/waybill-detail/SF1234'],
    [{ carrier: 'Own van', link: 'https://van.example/?a=1&b=2' }, 'https://van.example/?a=1&b=2'],
  ])('names carrier and tracking number, and links to where it can be followed: %o', (by, url) => {
    const { text, html } = render({ ...order, kind: 'shipped', shipment: { ...by, tracking: 'SF 1234' } }, 'en')
    expect(text).toContain(`Carrier: ${by.carrier}\nTracking number: SF 1234\n${url}\n`)
    expect(html).toContain(`<a href="${url.replaceAll('&', '&amp;')}" style="color:inherit"><bdi>SF 1234</bdi></a>`)
  })

  it('offers to unsubscribe only where it is not about an order', () => {
    for (const { mail, language } of all) {
      const { text, html } = render(mail, language)
      expect(text.includes('/api/unsubscribe')).toBe(mail.kind === 'packet-credited')
      expect(html.includes('/api/unsubscribe')).toBe(mail.kind === 'packet-credited')
    }
  })
})

describe('a text of a sale or a carrier', () => {
  const evil = 'Mug\r\nBcc: all@example.com\u2028<script>alert(1)</script>"><b>\u202egnp.exe {amount}\u0000'

  it.each(all)('cannot add a header or a line, or an element: $mail.kind in $language', ({ mail, language }) => {
    const shipment = { carrier: evil, tracking: evil }
    const { subject, text, html } = render(mail.kind === 'shipped' ? { ...mail, shipment } : mail, language, {
      title: evil,
    })
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)
    expect(subject).toContain('Mug Bcc: all@example.com')
    expect(text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
    expect(text).not.toMatch(/[\u202e\u2028\0]/)
    expect(html).not.toMatch(/<script|<b>/)
  })

  it('keeps the subject within 78 characters, by whole ones', () => {
    for (const title of ['x'.repeat(500), '杯'.repeat(500), '👩‍🍳😀'.repeat(100)]) {
      for (const { mail, language } of all) {
        const { subject } = render(mail, language, { title })
        expect([...subject].length).toBeLessThanOrEqual(78)
        expect(subject.isWellFormed()).toBe(true)
        expect(subject.endsWith('…')).toBe(true)
      }
    }
  })

  it('stays as it is where it fits into a line', () => {
    expect(oneLine('  Tea\t·  茶 \n')).toBe('Tea · 茶')
    expect(shortLine('abc', 3)).toBe('abc')
    expect(shortLine('ab cd', 4)).toBe('ab…')
  })
})
