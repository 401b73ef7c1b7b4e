/** The metadata of a sale for search engines and messengers. */
import { describe, expect, it } from 'vitest'
import { availabilityIn, phases } from '../../core/sale/phase.ts'
import { previewOf } from '../../templates/pages/preview.ts'
import type { PublicSale } from '../../templates/pages/seams.ts'
import { aSale } from '../redis/support.ts'

const hash = '0123456789abcdef0123456789abcdef'
const sale = aSale({
  ...{ kind: 'goods', title: 'Blue bowl', description: 'By hand.', price: 1200, currency: 'EUR' },
  ...{ startsAt: 10_000, endsAt: 20_000, warmed: true, flag: 'on', epoch: 1 },
  pictures: [
    { src: `/pictures/${hash}-1600x1200`, alt: 'A bowl' },
    { src: 'https://cdn.example/b.png', alt: 'Above' },
  ],
})
const shopUrl = 'https://shop.example'

const dataOf = (one: PublicSale, now = 0, url: string | undefined = shopUrl) => {
  const { html } = previewOf(one, { now, shopUrl: url, brand: {} })
  const [, json] = /<script type="application\/ld\+json" id="product">(.*)<\/script>/.exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

describe('the preview of a sale', () => {
  it('is a product with its offer, whose addresses are absolute', () => {
    expect(dataOf({ ...sale, listPrice: 1850 })).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      ...{ name: 'Blue bowl', description: 'By hand.', sku: sale.saleId },
      image: [`${shopUrl}/pictures/${hash}-1600.webp`, 'https://cdn.example/b.png'],
      offers: {
        '@type': 'Offer',
        ...{ url: `${shopUrl}/sales/${sale.saleId}/`, price: '12.00', priceCurrency: 'EUR' },
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          priceType: 'https://schema.org/StrikethroughPrice',
          ...{ price: '18.50', priceCurrency: 'EUR' },
        },
        availability: 'https://schema.org/PreOrder',
        availabilityStarts: '1970-01-01T00:00:10.000Z',
        availabilityEnds: '1970-01-01T00:00:20.000Z',
      },
    })
  })

  it.each([
    ['before the start', 9_999, {}, 'PreOrder'],
    ['while it is open', 10_000, {}, 'InStock'],
    ['while it is paused', 10_000, { flag: 'paused' }, 'OutOfStock'],
    ['after its end', 20_000, {}, 'OutOfStock'],
    ['when it was closed', 15_000, { flag: 'closed' }, 'OutOfStock'],
  ] as const)('has the availability of the moment of publishing: %s', (_, now, change, expected) => {
    expect(dataOf({ ...sale, ...change }, now).offers.availability).toBe(`https://schema.org/${expected}`)
  })

  it('knows the availability of every phase', () => {
    expect(Object.fromEntries(phases.map((phase) => [phase, availabilityIn(phase).split('/').at(-1)]))).toEqual({
      ...{ draft: 'PreOrder', scheduled: 'PreOrder', open: 'InStock' },
      ...{ paused: 'OutOfStock', 'held-back': 'OutOfStock', 'sold-out': 'SoldOut', ended: 'OutOfStock' },
    })
  })

  it('has the properties of Open Graph', () => {
    const { html } = previewOf(sale, { now: 0, shopUrl, brand: {} })
    const properties = [...html.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)]
    expect(Object.fromEntries(properties.map(([, name, content]) => [name, content]))).toEqual({
      ...{ site_name: 'Shop', type: 'product', title: 'Blue bowl', description: 'By hand.' },
      url: `${shopUrl}/sales/${sale.saleId}/`,
      ...{ image: `${shopUrl}/pictures/${hash}-1600.webp`, 'image:alt': 'A bowl' },
    })
  })

  it('cannot be left by a title that ends its element', () => {
    const hostile = '</script><script>alert(1)</script><!--'
    const { html } = previewOf({ ...sale, title: hostile, description: hostile }, { now: 0, shopUrl, brand: {} })
    expect(html.match(/<\/?script/g)).toEqual(['<script', '</script'])
    expect(html).not.toContain('<!--')
    expect(dataOf({ ...sale, title: hostile }).name).toBe(hostile)
  })

  it('has no address while the shop does not know its own', () => {
    const { html } = previewOf(sale, { now: 0, shopUrl: undefined, brand: {} })
    expect(html).not.toMatch(/og:(?:image|url)|"image"|"url"/)
    expect(html).toContain('og:title')
  })

  it('has no product where nothing is sold', () => {
    const rain = { ...sale, kind: 'red-packet', price: 0, packets: { count: 1, totalAmount: 1 } } as const
    expect(dataOf(rain)).toBeUndefined()
  })
})
