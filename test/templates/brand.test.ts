/** Pages and emails show the brand, and nowhere the name of the software. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { messagesByPage } from '../../checks/messages.ts'
import { type Brand, brand as brandSchema } from '../../core/brand.ts'
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { defaultLanguages as languages } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { problem } from '../../core/outcome.ts'
import type { MailFacts } from '../../core/people/mail.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { stablePages } from '../../functions/sales/publishing/pages.ts'
import { pageTemplates } from '../../functions/sales/publishing/templates.ts'
import { renderMail } from '../../templates/mails/render.ts'
import { problemMessages } from '../../templates/messages/catalogues.ts'
import { shopName } from '../../templates/messages/shop-name.ts'
import { brandStyle } from '../../templates/pages/brand.ts'
import { renderPaymentPage } from '../../templates/pages/payment-simulator.ts'
import {
  renderMissingPage,
  renderSignInProblem,
  renderUnsubscribe,
  renderUnsubscribed,
  renderUnsubscribeInvalid,
} from '../../templates/pages/plain-page.ts'
import { renderSignInPage } from '../../templates/pages/sign-in.ts'
import { aSale, saleIdOf } from '../redis/support.ts'

/** Every asset has a path, which may have any name. */
const assets = new Proxy<Record<string, string>>({}, { get: (_, name) => `/assets/${String(name)}` })
const { salePage, indexPage, stablePage } = pageTemplates(assets, 'https://shop.example')

const lantern: Brand = {
  name: 'Lantern & Co.',
  logo: `/pictures/${'a'.repeat(32)}-600x150`,
  colours: { light: '#0B5A8A', dark: '#7cc4f0' },
  links: [
    { label: { en: 'Privacy', 'zh-CN': '隐私政策' }, href: '/legal/privacy' },
    { label: { en: 'Terms', 'zh-CN': '服务条款' }, href: 'https://lantern.example/terms?a=1&b=2' },
  ],
  support: 'help@lantern.example',
  tagline: { en: 'Light for all <3', 'zh-CN': '点亮生活' },
}

const sale = aSale({ saleId: saleIdOf('mug'), title: 'Stoneware mug', description: 'By hand.' })
const kinds: readonly Partial<Sale>[] = [
  {},
  { variants: [{ id: 's', name: 'Small', stock: 5 }] },
  { kind: 'coupon', price: 0 },
  { kind: 'red-packet', packets: { count: 10, totalAmount: 1000 } },
]

const publishedPages = (brand: Brand): Record<string, string> => ({
  ...Object.fromEntries(kinds.map((kind, at) => [`sale ${at}`, salePage({ ...sale, ...kind }, { now: 0, brand })])),
  index: indexPage([sale], brand),
  ...Object.fromEntries(stablePages.map((page) => [page, stablePage(page, brand)])),
})

const payment = { paymentId: 'pay-1', product: '1 × Mug', amount: 100, currency: 'CNY' }
const orderId = `mug-${'a'.repeat(26)}` as OrderId
const answered: Record<string, string> = {
  'sign-in': renderSignInPage(assets),
  ...Object.fromEntries(
    languages.flatMap((language) => [
      [`missing ${language}`, renderMissingPage(language)],
      [`sign-in refused ${language}`, renderSignInProblem('refused', '/again', language)],
      [`sign-in unavailable ${language}`, renderSignInProblem('unavailable', '/again', language)],
      [`unsubscribe ${language}`, renderUnsubscribe(language)],
      [`unsubscribed ${language}`, renderUnsubscribed(language)],
      [`unsubscribe invalid ${language}`, renderUnsubscribeInvalid(language)],
      [
        `payment ${language}`,
        renderPaymentPage({ provider: 'simulated', stage: 'open', orderId, payment, isWaiting: false }, language),
      ],
    ]),
  ),
}

const shopper = { saleId: 'mug' as SaleId, shopperId: 'ann' as ShopperId, orderId }
const order = { ...shopper, quantity: 2, amount: 4800, currency: 'EUR' }
const mails: readonly MailFacts[] = [
  { ...order, kind: 'confirmed', hasCodes: true },
  { ...order, kind: 'payment-due', payBy: 0 },
  { ...order, kind: 'cancelled', reason: 'by-marketer', isRefundDue: true },
  { ...order, kind: 'refunded', returned: [{ amount: 4800, currency: 'EUR' }] },
  { ...order, kind: 'shipped', shipment: undefined },
  { ...shopper, kind: 'packet-credited', packet: 7, amount: 888, currency: 'CNY' },
]

const rendered = (brand: Brand) =>
  mails.flatMap((mail) =>
    languages.map((language) => ({
      language,
      kind: mail.kind,
      ...renderMail(mail, {
        ...{ language, brand, title: 'Stoneware mug', variants: [], timeZone: 'UTC' },
        ...{ shopUrl: 'https://shop.example', unsubscribeUrl: 'https://shop.example/api/unsubscribe' },
      }),
    })),
  )

/** All that is shown or read aloud of a page: not the addresses of its parts, nor the ids in it. */
const shownIn = (page: string) => page.replaceAll(/ (?:href|src|srcset|id|class|for|data-[a-z-]*worker)="[^"]*"/g, '')

describe('the name of the software', () => {
  it.each([
    ['without a brand', {}],
    ['with one', lantern],
  ])('stands in no page and no email of a shop %s', (_, brand) => {
    for (const [name, page] of Object.entries({ ...publishedPages(brand), ...answered })) {
      expect(shownIn(page), name).not.toMatch(/sluice/i)
    }
    for (const { kind, subject, text, html } of rendered(brand)) {
      expect(`${subject}${text}${html}`, kind).not.toMatch(/sluice/i)
    }
  })

  it('stands in no word that a script may show, in either language', () => {
    const { console: _, ...shoppers } = messagesByPage
    expect(JSON.stringify([shoppers, problemMessages])).not.toMatch(/sluice/i)
  })

  it('stands in no drawing, and of a problem only in the name of its type', () => {
    for (const file of readdirSync('static/pictures')) {
      expect(readFileSync(join('static/pictures', file), 'utf8'), file).not.toMatch(/sluice/i)
    }
    const { type, ...shown } = problem('sold-out', 'Sold out.')
    expect(type).toMatch(/^urn:/)
    expect(JSON.stringify(shown)).not.toMatch(/sluice/i)
  })
})

describe('a brand', () => {
  it('is one that the API accepts', () => {
    expect(parse(brandSchema, lantern).ok).toBe(true)
  })

  it('in one language leaves the switch of languages out of each page, and in two keeps it', () => {
    const label = { 'zh-CN': '隐私政策' }
    const chinese: Brand = { ...lantern, tagline: { 'zh-CN': '点亮生活' }, links: [{ label, href: '/privacy' }] }
    const switches = (brand: Brand) =>
      Object.values(publishedPages(brand)).map(
        (page) => /<button type="button" class="quiet" id="language"[^>]*>/.exec(page)?.[0],
      )
    const open = '<button type="button" class="quiet" id="language" data-offered="en zh-CN" lang="zh-CN">'
    const only = '<button type="button" class="quiet" id="language" data-offered="zh-CN" lang="zh-CN" hidden>'
    expect(new Set([...switches({}), ...switches(lantern)])).toEqual(new Set([open]))
    expect(new Set(switches(chinese))).toEqual(new Set([only]))
  })

  it.each(Object.entries(publishedPages(lantern)))(
    'has its name, logo, links and colours in the page: %s',
    (_, page) => {
      expect(page).toMatch(/<title[^>]*>[^<]* · Lantern &amp; Co\.<\/title>/)
      // Width and height reserve its place before it is loaded.
      expect(page).toMatch(/<img src="\/pictures\/a{32}-480\.webp" width="144" height="36" alt="Lantern &amp; Co\.">/)
      // The icon is the file in the header, so it needs no further request.
      expect(page).toMatch(/<link rel="icon" type="image\/webp" href="\/pictures\/a{32}-480\.webp">/)
      expect(page).toContain('href="https://lantern.example/terms?a=1&amp;b=2"')
      expect(page).toContain('隐私政策')
      expect(page).toContain('href="mailto:help@lantern.example"')
      expect(page).toContain('Light for all &lt;3')
      expect(page).toMatch(
        /"\/assets\/[a-z-]+\.css">\n[\s\S]*<link rel="stylesheet" href="\/brand\/0b5a8a-7cc4f0\.css">/,
      )
      expect(page).not.toMatch(/<style|\sstyle=/)
      // C2: the rest of a sale page is below 20 kB.
      expect(gzipSync(page).length + gzipSync(brandStyle(lantern)?.body ?? '').length).toBeLessThan(8000)
    },
  )

  it.each(Object.entries(publishedPages({})))(
    'is a shop without a name where none is saved, with no further request: %s',
    (_, page) => {
      expect(page).toMatch(/<title data-texts="[^"]* · 商城&quot;[^"]*">[^<]* · Shop<\/title>/)
      expect(page).toContain('>Shop</span></a>')
      expect(page).not.toContain('/brand/')
    },
  )

  it('shows every reader a text that it has in one language only, and says which one that is', () => {
    const label = { 'zh-CN': '隐私政策' }
    const brand = { tagline: { en: 'Light for all' }, links: [{ label, href: '/privacy' }] }
    expect(publishedPages(brand).index).toContain('<span lang="en">Light for all</span>')
    expect(publishedPages(brand).index).toContain('<a href="/privacy" lang="zh-CN">隐私政策</a>')
  })

  it('names the site for messengers', () => {
    expect(publishedPages(lantern)['sale 0']).toContain('<meta property="og:site_name" content="Lantern &amp; Co.">')
  })

  it.each(rendered(lantern))('has its name, colour and support in an email: $kind in $language', ({ text, html }) => {
    expect(text.startsWith('Lantern & Co.\n')).toBe(true)
    expect(html).toContain('>Lantern &amp; Co.</p>')
    expect(html).toContain('background:#0B5A8A;color:#ffffff')
    expect(text).toContain('help@lantern.example')
    expect(html).toContain('href="mailto:help@lantern.example"')
  })

  it('is in the reader’s language where an email has no name', () => {
    for (const { language, text } of rendered({})) {
      expect(text.startsWith(`${shopName({}, language)}\n`)).toBe(true)
    }
  })
})
