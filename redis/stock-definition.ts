/**
 * What the stock hash holds of a sale's definition, field by field as it is stored. Scripts are given these texts, and what
 * is read back is compared with them, so that nothing a sale is made of can differ unnoticed.
 */
import type { Sale } from '../core/sale.ts'
import { text } from './reply.ts'
import { fencedTerms, packTerms, packTries } from './terms.ts'

export const definitionFields = [
  'version',
  'flag',
  'epoch',
  'startToken',
  'startsAt',
  'endsAt',
  'limit',
  'max',
  'terms',
] as const

export type StockDefinition = Readonly<Record<(typeof definitionFields)[number], string>>

/** The definition of `sale` as Redis holds it. While the stock is `fenced`, its terms are those of a fenced stock. */
export function stockDefinition(sale: Sale, { fenced }: { fenced: boolean }): StockDefinition {
  const { version, flag, epoch, startToken, startsAt, endsAt, limitPerShopper, maxPerOrder, throttle } = sale
  const terms = [packTerms(sale), maxPerOrder, limitPerShopper, packTries(throttle.perShopper)].join(' ')
  return {
    version: String(version),
    flag,
    epoch: String(epoch),
    startToken: startToken ?? '',
    startsAt: String(startsAt),
    endsAt: String(endsAt),
    limit: String(limitPerShopper),
    max: String(maxPerOrder),
    terms: fenced ? fencedTerms : terms,
  }
}

/** The definition in `stored`, the values of `definitionFields`; a missing one is empty. @throws UnexpectedReply */
export function definitionIn(stored: readonly unknown[]): StockDefinition {
  const field = (name: keyof StockDefinition) => text(stored[definitionFields.indexOf(name)] ?? '', name)
  return {
    version: field('version'),
    flag: field('flag'),
    epoch: field('epoch'),
    startToken: field('startToken'),
    startsAt: field('startsAt'),
    endsAt: field('endsAt'),
    limit: field('limit'),
    max: field('max'),
    terms: field('terms'),
  }
}
