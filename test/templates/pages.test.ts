import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { everyPage as everyPageWords } from '../../checks/messages.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { maxVariants } from '../../core/sale/variants.ts'
import {
  accessibilityMessages,
  couponSaleMessages,
  rainMessages,
  saleMessages,
} from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'
import { renderAccessibilityPage } from '../../templates/pages/accessibility.ts'
import assessment from '../../templates/pages/assessment.json' with { type: 'json' }
import { renderOrderPage } from '../../templates/pages/orders.ts'
import { renderRainPage } from '../../templates/pages/rain.ts'
import { renderSalePage } from '../../templates/pages/sale.ts'
import { renderIndexPage } from '../../templates/pages/shop.ts'
import { installedAxe } from '../recorded-assessment.ts'
import { assets, coupon, everyPage, pages, published, rain, sale, shirts } from './every-page.ts'

describe('every page', () => {
  it.each(everyPage)('is complete HTML without inline script or style: %s', (_, page) => {
    expect(page.startsWith('<!doctype html>')).toBe(true)
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i)
    // Data is not executed.
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)]
    const run = scripts.filter(([, attributes]) => !attributes?.includes('application/ld+json'))
    expect(run.map(([, , code]) => code)).toEqual([''])
  })

  it.each(everyPage)('makes no telephone link of the digits of an order number: %s', (_, page) => {
    expect(page).toContain('<meta name="format-detection" content="telephone=no">')
  })

  it.each(everyPage)('marks only words that its own script carries: %s', (name, page) => {
    const known = new Set(Object.keys(everyPageWords[name] ?? {}))
    const marked = [...page.matchAll(/data-i18n(?:-label)?="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(marked.length).toBeGreaterThan(3)
    expect(marked.filter((key) => !known.has(key))).toEqual([])
  })

  it.each(everyPage)('has one main heading place, a language, a skip link and a status line: %s', (name, page) => {
    expect(page).toContain('<html lang="en">')
    const target = /class="skip" href="#(\w+)"/.exec(page)?.[1]
    expect(page).toContain(`id="${target}"`)
    expect(page).toContain('id="main"')
    if (name !== 'shop' && name !== 'accessibility') expect(page).toContain('role="status"')
  })
})

it('the header has the pages of a shopper, but in the console, which has orders of its own, only the way to the shop', () => {
  const linksIn = (page: string) =>
    [...(page.split('</header>')[0] ?? '').matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
  expect(linksIn(pages.sale)).toEqual(expect.arrayContaining(['/orders/', '/wallet/']))
  expect(linksIn(pages.console)).toContain('/')
  expect(linksIn(pages.console).filter((href) => /orders|wallet/.test(href ?? ''))).toEqual([])
})

describe('the page of a sale that is sold out', () => {
  it('says so on its button alone, and offers other sales and when unpaid units come back (C8)', () => {
    for (const page of [pages.sale, pages.coupon, pages.variants, pages.rain])
      expect(page).toContain('<p class="others"><a href="/">')
    expect(pages.sale).toContain('data-minutes="15"')
    expect(pages.coupon).toContain('data-minutes="0"')
    for (const texts of [saleMessages, couponSaleMessages, rainMessages]) {
      for (const key of ['status.soldOut', 'status.roundSoldOut'] as const) {
        const said = JSON.stringify(texts[key]).toLowerCase()
        for (const word of ['sold out', 'gone', '已抢完', '已领完']) expect(said).not.toContain(word)
      }
    }
  })
})

describe('the page of a sale in a zone of its own', () => {
  it('has its times in that zone without any script, beside those that become the reader’s, and a script for the rest', () => {
    const summer = Date.UTC(2026, 6, 1, 10)
    const times = { timeZone: 'Europe/Berlin', startsAt: summer, endsAt: summer + 3_600_000 }
    const page = renderSalePage({ ...sale, ...times }, assets, published)
    expect(page).toContain(`<small data-zone="Europe/Berlin" data-at="${summer}">(Jul 1, 12:00 PM GMT+2)</small>`)
    expect(page).toContain('/assets/sale-zone.js"')
    for (const [name, other] of everyPage.filter(([name]) => name !== 'console'))
      expect(other, name).not.toMatch(/sale-zone|data-zone/)
  })
})

it('the way to sign out stands beside the name as a button, hidden until a person is signed in', () => {
  for (const [name, page] of everyPage) {
    expect(page, name).toMatch(/id="who"[\s\S]{0,80}<button type="button" id="sign-out"[^>]* hidden>/)
  }
})

describe.each([
  ['goods', sale, renderSalePage],
  ['red packets', rain, renderRainPage],
])('the page of %s', (_, ofSale, render) => {
  it('is the same for every phase and never holds the start token (C2, C6)', () => {
    const page = render(ofSale, assets, published)
    const unstarted: Sale = { ...ofSale, flag: 'off', startToken: null, epoch: 0 }
    expect(render(unstarted, assets, published)).toBe(page)
    expect(page).not.toContain(sale.startToken)
  })

  it('escapes everything a marketer wrote', () => {
    const hostile = '"><script>alert(1)</script>\'&'
    const page = render({ ...ofSale, title: hostile, description: hostile }, assets, published)
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;')
  })
})

describe('the page of', () => {
  const one = renderSalePage({ ...shirts, maxPerOrder: 1 }, assets, published)
  const unlimited = renderSalePage({ ...coupon, coupons: undefined }, assets, published)
  const ending = renderSalePage({ ...coupon, coupons: { validUntil: 1_893_456_000_000 } }, assets, published)
  const ofGoods = ['Stoneware mug', 'One hundred of them.', '/assets/pictures/mug.svg', 'CN¥0.10', '100 available']
  const amount = '<data value="500000" data-currency="CNY">CN¥5,000.00</data>'
  const packets = [amount, 'Spring festival packets', 'One hundred of them.']
  const names = ['id="variant-s" dir="auto">Black, S</span>', '&lt;b&gt;Black, M&lt;/b&gt;']
  const files = ['src="/assets/variants-en.js"', 'href="/assets/variants.css"']
  const choice = [
    /<fieldset[^>]*>\n<legend>/,
    /name="variant" value="s"[\s\S]+name="variant" value="m"(?![\s\S]*name="variant")/,
  ]
  const facts = /facts\.perOrder[\s\S]+facts\.limit[\s\S]+facts\.validFrom[\s\S]+facts\.validUntil/
  const endless = /facts\.where[\s\S]+>Shop<[\s\S]+facts\.validUntil[\s\S]+facts\.noExpiry/
  const price = '<p class="price"><data id="price" value="10" data-currency="CNY">CN¥0.10</data></p>'
  const free = '<p class="price"><span data-i18n="price.free">Free</span></p>'
  const button = /<button type="button" id="buy"[^>]*aria-disabled="true"/

  it.each<[what: string, page: string, has: (string | RegExp)[], lacks?: string[]]>([
    ['goods is complete without a script: name, words, picture, price (C1, C2)', pages.sale, [...ofGoods, 'facts.pay']],
    ['goods shows its price to everybody, and nothing of coupons', pages.sale, [price], ['price.free', 'facts.valid']],
    ['goods has a grey button before any script ran (C5)', pages.sale, [button], ['facts.perOrder', 'variant']],
    ['variants has their names, also for readers without a script, and escapes them (N1)', pages.variants, names],
    ['variants has a choice of one, and a quantity (N1)', pages.variants, [...choice, 'id="quantity"']],
    ['variants has no quantity where one may be ordered (N1)', one, [...names, ...choice], ['id="quantity"']],
    ['variants has a script and a style of its own', pages.variants, files],
    [
      'a coupon is free and has nothing about paying (S7)',
      pages.coupon,
      [free],
      ['facts.pay', '¥', '<data', 'variant'],
    ],
    [
      'a coupon says how many one may get, and from and until when',
      pages.coupon,
      [facts, '>2030-01-01 00:00 UTC</time>'],
    ],
    ['a coupon says that it does not expire', unlimited, [endless], ['facts.validFrom']],
    ['a coupon says when it expires', ending, ['facts.validUntil'], ['facts.validFrom']],
    ['red packets says what there is (P1, P3)', pages.rain, packets, ['facts.pay', 'variant']],
    [
      'red packets says the rules',
      pages.rain,
      ['<p class="price">', '>in 1,000 red packets<', '>1 red packet<', '>Random<'],
    ],
    ['red packets has a button for those who do not tap', pages.rain, [button, 'href="/wallet/"']],
    [
      'red packets hides what falls from those who listen',
      pages.rain,
      ['<div class="sky" id="sky" aria-hidden="true">'],
    ],
  ])('%s', (_, page, has, lacks = []) => {
    for (const part of has) expect(page).toMatch(part)
    for (const text of lacks) expect(page).not.toContain(text)
  })
})

describe('the sale page', () => {
  it('is summed up by the first 160 characters, none of them cut in half', () => {
    const page = renderSalePage({ ...sale, description: `${'x'.repeat(159)}🎁🎁` }, assets, published)
    const described = page.match(/property="og:description" content="([^"]*)"/)?.[1] ?? ''
    expect(described).toBe(`${'x'.repeat(159)}🎁`)
    expect(page.isWellFormed()).toBe(true)
  })

  it.each<[string, Partial<Sale>, has: string[], lacks: string[]]>([
    ['a quantity where more than one may be ordered', {}, ['id="quantity"'], []],
    ['no quantity where one may be ordered', { maxPerOrder: 1 }, [], ['id="quantity"']],
    ['the time to pay in minutes (O8)', {}, ['>15 min<'], []],
    ['the time to pay as it is (O8)', { paymentWindowSeconds: 20 }, ['>20 s<'], []],
    ['no level where the sale is for everybody (R6)', {}, [], ['facts.level', 'id="early"']],
    ['for which members the sale is (R6)', { minLevel: 3 }, ['>Level 3 and up<'], []],
    ['that the shop asks for no challenge (R5)', {}, ['data-challenge="off"'], []],
    [
      'that the shop asks for a challenge, and where the page finds what solves it (R5)',
      { challenge: 'pow' },
      [
        ...['data-challenge="pow"', 'data-challenge-script="/assets/challenge.js"'],
        ...['data-challenge-worker="/assets/challenge-worker.js"'],
        '<div id="check" class="check" hidden><p id="check-words" role="status">',
      ],
      [],
    ],
  ])('has %s', (_, change, has, lacks) => {
    const page = renderSalePage({ ...sale, ...change }, assets, published)
    for (const text of has) expect(page).toContain(text)
    for (const text of lacks) expect(page).not.toContain(text)
  })

  it('says who may buy early, in both languages, and has a line for the time of all others (R6)', () => {
    const page = (earlyAccess: Sale['earlyAccess']) => renderSalePage({ ...sale, earlyAccess }, assets, published)
    const early = page({ minutes: 10, minLevel: 3 })
    expect(early).toContain('>Level 3 and up: 10 min before everyone else<')
    expect(early).toContain('3 级及以上会员可提前 10 分钟购买')
    expect(early).toMatch(/<p class="clock__next" id="early" hidden>/)
    expect(early).toContain('id="early-sign-in" href="/api/sign-in?return=%2Fsales%2Fmug%2F"')
    expect(page(undefined)).not.toContain('id="early"')
  })

  it('lists all windows of a sale that has several, and none of a sale that has one (R7)', () => {
    const window = { startsAt: sale.startsAt, endsAt: sale.endsAt, stock: 60 }
    const later = { startsAt: sale.endsAt + 3_600_000, endsAt: sale.endsAt + 7_200_000, stock: 1 }
    const page = renderSalePage({ ...sale, windows: [window, later] }, assets, published)
    const starts = [...page.matchAll(/<li class="round" data-starts-at="(\d+)"/g)].map((match) => Number(match[1]))
    expect(starts).toEqual([window.startsAt, later.startsAt])
    expect(page).toContain('>60 items<')
    expect(page).toContain('>1 item<')
    expect(page).not.toContain('facts.ends')
    expect(renderSalePage({ ...sale, windows: [window] }, assets, published)).not.toContain('id="rounds"')
  })

  it('says at the price what delivery adds, in both languages', () => {
    const notes = (change: Partial<Sale>) => {
      const page = renderSalePage({ ...sale, price: 1990, currency: 'EUR', ...change }, assets, published)
      return /<p class="terms" id="price-notes">(.*)<\/p>/.exec(page)?.[1]
    }
    const delivery = { countries: ['DE', 'AT', 'FR'], costs: { DE: 0, AT: 990, FR: 990 }, freeAbove: 5000 }
    const all = notes({ delivery })
    const each = 'plus delivery: Germany free; Austria and France €9.90'
    expect(all?.replace(/<[^>]*>/g, '')).toBe(`${each} · free delivery from €50.00`)
    expect(all).toContain('另加运费：德国 包邮；奥地利和法国 €9.90')
    expect(all).toContain('满 €50.00 包邮')
    const oneCost = (cost: number) =>
      notes({ delivery: { countries: ['DE'], costs: { DE: cost } } })?.replace(/<[^>]*>/g, '')
    expect([oneCost(0), oneCost(490)]).toEqual(['free delivery', 'plus €4.90 delivery'])
    expect(notes({ delivery: { countries: ['DE'] } }), 'nothing is added to other pages').toBeUndefined()
  })

  it('names the company that sells on the page of an order', () => {
    const seller = { name: 'Lantern <GmbH>', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' }
    const page = renderOrderPage(assets, { seller })
    expect(page).toContain('Lantern &lt;GmbH&gt; · Torstraße 1 · +49 30 1 · ')
    expect(page).toContain('href="mailto:a@lantern.example"')
    expect(renderOrderPage(assets, {})).not.toContain('id="seller"')
  })

  it('refuses to render with an asset the build did not make', () => {
    expect(() => renderSalePage(sale, {}, published)).toThrow('no asset named')
  })
})

describe('the accessibility statement', () => {
  const seller = { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' }

  it('names shop, standard, result, contact, and the authority of each member state that has an entry', () => {
    const page = renderAccessibilityPage(assets, { seller, support: 'https://lantern.example/help' })
    for (const part of [
      ...['<dd><span>Lantern GmbH</span></dd>', 'WCAG 2.2, level AA; EN 301 549', 'Partially conformant'],
      `<time id="assessed" datetime="${assessment.day}">`,
      `axe-core ${assessment.axe}: ${Object.keys(assessment.states).length} parts`,
      ...['href="mailto:a@lantern.example"', '+49 30 1', 'href="https://lantern.example/help"'],
      ...['https://www.mlbf-barrierefrei.de/', 'Sozialministeriumservice', 'https://signal.conso.gouv.fr/'],
    ])
      expect(page).toContain(part)
    expect(pages.accessibility).not.toContain('id="contacts"')
  })

  it('says what is offered, how many faults were found, each known limit, and whom to tell or to complain to', () => {
    const text = pages.accessibility.replaceAll(/<[^>]*>/g, ' ')
    const keys = ['serviceText', 'reportText', 'authorityText', 'in.EU'] as const
    const limits = ['method', 'time', 'pictures', 'others'] as const
    for (const key of [...keys, ...limits.map((limit) => `limit.${limit}` as const)])
      expect(text, key).toContain(words(accessibilityMessages[`accessibility.${key}`], 'en'))
    expect(pages.accessibility).toMatch(/>Issues found<\/span><\/dt><dd>0<\/dd>|>Issues found<\/dt><dd>0<\/dd>/)
  })

  it('says the version of the checks that are installed, and a tour without faults', () => {
    expect(assessment).toMatchObject({ axe: installedAxe(), faults: 0 })
    expect(Object.keys(assessment.states).length).toBeGreaterThan(10)
  })

  it('is linked at the foot of each page, in the language of its reader', () => {
    for (const [name, page] of everyPage)
      expect(page.slice(page.indexOf('<footer')), name).toMatch(
        /<a href="\/accessibility\/" data-texts="[^"]*无障碍[^"]*">Accessibility<\/a>/,
      )
  })
})

describe('a sale with texts of its own in a language', () => {
  const texts = (german: string) => JSON.stringify({ en: 'Red', 'zh-CN': german }).replaceAll('"', '&quot;')
  const named = { id: 's', name: 'Red', names: { 'zh-CN': '红色' }, stock: 5 }
  const pictured = { src: '/assets/pictures/mug.svg', alt: 'Red', alts: { 'zh-CN': '红色杯子' } }
  const plain = { src: '/assets/pictures/lamp.svg', alt: 'A lamp' }

  it('has the names of variants in each language, and marks none that is the same', () => {
    const other = { id: 'm', name: 'M', stock: 5 }
    const page = renderSalePage({ ...shirts, variants: [named, other] }, assets, published)
    expect(page).toContain(`id="variant-s" dir="auto" data-texts="${texts('红色')}">Red</span>`)
    expect(page).toContain('id="variant-m" dir="auto">M</span>')
    const chinese = { ...published, brand: { languages: ['zh-CN'] } }
    expect(renderSalePage({ ...shirts, variants: [named, other] }, assets, chinese)).toContain(
      'id="variant-s" dir="auto">红色</span>',
    )
  })

  it('names a picture in each language by a text beside it, also the link to it, and others by themselves', () => {
    const page = renderSalePage({ ...sale, pictures: [pictured, plain] }, assets, published)
    expect(page).toMatch(/<img [^>]*alt="Red" aria-labelledby="picture-text-1"/)
    expect(page).toContain(`<span hidden id="picture-text-1" data-texts="${texts('红色杯子')}">Red</span>`)
    expect(page).toContain('<a href="#picture-1" aria-labelledby="picture-text-1">')
    expect(page).toContain('<a href="#picture-2" aria-label="A lamp">')
    expect(page).not.toContain('picture-text-2')
    const stage = renderRainPage({ ...rain, pictures: [plain, pictured] }, assets, published)
    expect(stage).toContain('aria-labelledby="picture-text-2"')
  })
})

describe('the sale page of goods with variants (N1)', () => {
  it('says that a shopper may order again, up to the limit, unless that is one', () => {
    const only = renderSalePage({ ...shirts, limitPerShopper: 1, maxPerOrder: 1 }, assets, published)
    expect(only).not.toContain('variants-again')
    expect(pages.variants).toMatch(
      /id="variants-again"><span data-texts="[^"]*每个订单[^"]*">One option per order\. You can order again, up to \d+ units in total\.</,
    )
  })

  it('stays small with as many variants as a sale may have, under the longest names (C2)', () => {
    const variants = Array.from({ length: maxVariants }, (_, i) => ({
      ...{ id: `variant-number-${i}`.slice(0, 16), name: `${i} `.padEnd(60, '长'), stock: 1 },
    }))
    const page = renderSalePage({ ...shirts, variants, stock: maxVariants }, assets, published)
    expect(gzipSync(page).length).toBeLessThan(6000)
    expect(Buffer.byteLength(page)).toBeLessThan(40_000)
  })
})

describe('the page of red packets', () => {
  it('tells its script what the sale page tells its own (C5, R5)', () => {
    const namesIn = (page: string) =>
      [...(/<main[^>]*>/.exec(page)?.[0].matchAll(/ (data-[a-z-]+)=/g) ?? [])].map(([, name]) => name)
    // The page of packets loads a script of its own after a click.
    const own = ['data-credit-script']
    const shared = (page: string) => namesIn(page).filter((name = '') => !own.includes(name))
    expect(namesIn(pages.sale).filter((name = '') => own.includes(name))).toEqual([])
    expect(namesIn(pages.rain).filter((name = '') => own.includes(name))).toEqual(own)
    // The amounts of packets are always in the currency of their sale.
    expect(shared(pages.rain).filter((name) => name !== 'data-currency')).toEqual(shared(pages.sale))
    expect(pages.coupon).toContain('data-kind="coupon"')
    expect(pages.rain).toContain('data-kind="red-packet"')
  })

  it('lists its waves with the packets and the money of each, and sums them up (P1, R7)', () => {
    const wave = { startsAt: sale.startsAt, endsAt: sale.endsAt, stock: 600, totalAmount: 300_000 }
    const last = { startsAt: sale.endsAt + 1, endsAt: sale.endsAt + 2, stock: 1, totalAmount: 88 }
    const page = renderRainPage({ ...rain, windows: [wave, last] }, assets, published)
    for (const text of ['>600 red packets<', '>CN¥3,000.00<', '>1 red packet<', '>CN¥0.88<', '>CN¥3,000.88<']) {
      expect(page).toContain(text)
    }
    expect(page).toContain('>in 601 red packets<')
  })
})

describe('the index', () => {
  it('says what there is to get where nothing is paid (P1, S7)', () => {
    const page = renderIndexPage([coupon, rain, sale], assets, {})
    const prices = [...page.matchAll(/<span class="card__price">(.*)<\/span>\n/g)].map(([, price = '']) =>
      price.replace(/<[^>]+>/g, ''),
    )
    expect(prices).toEqual(['Free coupon', 'CN¥5,000.00 in red packets', 'CN¥0.10'])
  })

  it('shows the sales it is given in the order they come: publishing chooses them', () => {
    const later = { ...sale, title: 'Later', startsAt: sale.startsAt + 1 }
    const page = renderIndexPage([later, sale], assets, {})
    expect(page.indexOf('Later')).toBeGreaterThan(-1)
    expect(page.indexOf('Later')).toBeLessThan(page.indexOf('Stoneware mug'))
  })

  it('says so when there is nothing', () => {
    expect(renderIndexPage([], assets, {})).toContain('No sales right now')
  })
})
