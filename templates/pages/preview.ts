/**
 * Renders the metadata of a sale for search engines and messengers: Open Graph (https://ogp.me) and a schema.org product
 * with its offer. Addresses are absolute; a shop that does not know its own address leaves them out.
 */

import type { Brand } from '../../core/brand.ts'
import { majorText } from '../../core/money.ts'
import { availabilityIn, phaseAt } from '../../core/sale/phase.ts'
import { altIn, pictureUrl } from '../../core/sale/pictures.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { shopName } from '../messages/shop-name.ts'
import { dataElement, type Html, html } from './html.ts'
import { ownTitle, summaryOf } from './sale-texts.ts'
import { ownLanguage } from './say.ts'
import type { PublicSale } from './seams.ts'

/** `now` is the time of publishing, epoch ms; `shopUrl` is an origin such as `https://shop.example`. */
export type Publication = { now: number; shopUrl: string | undefined; brand: Brand }

/** The usual width of previews, px. */
const previewWidth = 1200

/** Renders the elements for the head of a sale page. */
export function previewOf(sale: PublicSale, publication: Publication): Html {
  const { address, pictures } = addressesOf(sale, publication)
  const property = (name: string, content: string) => html`<meta property="og:${name}" content="${content}">\n`
  return html`${property('site_name', shopName(publication.brand, ownLanguage()))}${property('type', 'product')}${property('title', ownTitle(sale))}${property('description', summaryOf(sale))}${
    address === undefined ? html`` : property('url', address)
  }${pictures.slice(0, 1).flatMap(({ url, alt }) => [property('image', url), property('image:alt', alt)])}${product(sale, publication)}`
}

function addressesOf({ saleId, pictures }: PublicSale, { shopUrl }: Publication) {
  if (shopUrl === undefined) return { address: undefined, pictures: [] }
  const absolute = (path: string) => new URL(path, shopUrl).href
  return {
    address: absolute(`/sales/${saleId}/`),
    pictures: pictures.map((one) => ({
      url: absolute(pictureUrl(one.src, previewWidth)),
      alt: altIn(one, ownLanguage()),
    })),
  }
}

/** Renders the product. Red packets are not sold, so they have none. */
function product(sale: PublicSale, publication: Publication): Html {
  if (sale.kind === 'red-packet') return html``
  const { address, pictures } = addressesOf(sale, publication)
  return dataElement('product', {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: ownTitle(sale),
    description: summaryOf(sale),
    sku: sale.saleId,
    ...(pictures.length > 0 && { image: pictures.map(({ url }) => url) }),
    offers: offer(sale, publication.now, address),
  })
}

/** Returns the offer with the availability at the time of publishing, which the script of the page updates. */
function offer(sale: PublicSale, now: number, address: string | undefined): object {
  const { price, listPrice, currency, startsAt, endsAt, windows } = sale
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1)
  return {
    '@type': 'Offer',
    ...(address !== undefined && { url: address }),
    price: majorText(price, currency),
    priceCurrency: currency,
    ...(listPrice !== undefined && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/StrikethroughPrice',
        price: majorText(listPrice, currency),
        priceCurrency: currency,
      },
    }),
    availability: availabilityIn(phase),
    availabilityStarts: new Date(startsAt).toISOString(),
    availabilityEnds: new Date(windows.at(-1)?.endsAt ?? endsAt).toISOString(),
  }
}
