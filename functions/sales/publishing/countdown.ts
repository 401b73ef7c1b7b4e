/** `countdown.<version>.js` and `.json`: written once, checked by reading them back, never rewritten (C6). */
import { minorDigits } from '../../../core/money.ts'
import {
  type Countdown,
  countdownJsonPath,
  countdownOf,
  countdownPath,
  countdownSource,
  type EmbeddedProduct,
} from '../../../core/sale/pointer.ts'
import { isInvitedOnly, type Sale } from '../../../core/sale/sale.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { immutable, type Site, type SiteObject } from '../../lib/shop/shop.ts'

/** Thrown when a version is public with other bytes, which caches may hold for a year. */
export class VersionRewritten extends Error {
  constructor(path: string) {
    super(`${path} is public with other contents and is never rewritten`)
    this.name = 'VersionRewritten'
  }
}

/**
 * Publishes the countdown of the sale's present version, as a module and as JSON. Safe to repeat, because the bytes follow from
 * the sale alone.
 * @throws VersionRewritten when the version is taken
 */
export async function publishCountdown(site: Site, sale: Sale): Promise<void> {
  const { saleId, version } = sale
  const countdown = countdownOf(sale, armedTokenOf)
  await Promise.all([
    publishVersion(site, {
      path: countdownPath(saleId, version),
      body: countdownSource(countdown),
      contentType: 'text/javascript; charset=utf-8',
    }),
    publishVersion(site, {
      path: countdownJsonPath(saleId, version),
      body: countdownJson(countdown, sale),
      contentType: 'application/json',
    }),
  ])
}

async function publishVersion(site: Site, object: Omit<SiteObject, 'cacheControl'>): Promise<void> {
  const { path, body } = object
  const existing = await site.read(path)
  if (existing === undefined) await site.create({ ...object, cacheControl: immutable })
  if ((existing ?? (await site.read(path))) !== body) throw new VersionRewritten(path)
}

type Shown = Pick<
  Sale,
  'allowedOrigins' | 'kind' | 'title' | 'translations' | 'price' | 'currency' | 'variants' | 'challenge'
>

/** Returns the countdown as JSON, with the product when pages of other sites may sell the sale. */
export function countdownJson(countdown: Countdown, sale: Shown): string {
  const { allowedOrigins = [] } = sale
  return JSON.stringify({ ...countdown, ...(allowedOrigins.length > 0 && { product: productOf(sale) }) })
}

function productOf(sale: Shown): EmbeddedProduct {
  const { kind, title, translations, price, currency, variants, challenge } = sale
  const titles = Object.fromEntries(
    Object.entries(translations ?? {}).flatMap(([language, texts]) =>
      texts?.title === undefined ? [] : [[language, texts.title]],
    ),
  )
  const asksMore = variants !== undefined || isInvitedOnly(sale) || challenge !== 'off'
  const onPage = kind === 'red-packet' || asksMore
  return {
    title,
    ...(Object.keys(titles).length > 0 && { titles }),
    ...{ price, currency, digits: minorDigits(currency) },
    ...(onPage && { onPage }),
  }
}
