/**
 * A sale's definition in the stock hash, field by field as stored. Scripts receive these texts, and
 * reads are compared with them, so every difference is noticed.
 */
import type { Sale } from '../../core/sale/sale.ts'
import { text } from '../reply.ts'
import { frozenWindow, packTries, packWindow } from './packed-window.ts'

export const definitionFields = [
  'version',
  'flag',
  'epoch',
  'startToken',
  'startsAt',
  'endsAt',
  'limit',
  'max',
  'packedWindow',
] as const

export type StockDefinition = Readonly<Record<(typeof definitionFields)[number], string>>

/**
 * The definition of `sale` as Redis stores it; with `frozen`, with the packedWindow of a frozen
 * stock.
 */
export function stockDefinition(sale: Sale, { frozen }: { frozen: boolean }): StockDefinition {
  const { version, flag, epoch, startToken, startsAt, endsAt, limitPerShopper, maxPerOrder, throttle } = sale
  const limits = [maxPerOrder, limitPerShopper, packTries(throttle.perShopper)].join(' ')
  const packedWindow = `${packWindow(sale)}${sale.variants === undefined ? ' ' : '*'}${limits}`
  return {
    version: String(version),
    flag,
    epoch: String(epoch),
    startToken: startToken ?? '',
    startsAt: String(startsAt),
    endsAt: String(endsAt),
    limit: String(limitPerShopper),
    max: String(maxPerOrder),
    packedWindow: frozen ? frozenWindow : packedWindow,
  }
}

/**
 * The definition in `stored`, the values of `definitionFields`; a missing one is empty. @throws
 * UnexpectedReply
 */
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
    packedWindow: field('packedWindow'),
  }
}

/** A tag of a stock's facts (reserve.lua) that no stock has had before: some 100 random bits, which need not be secret. */
export function newTag(): string {
  return [Math.random(), Math.random()].map((word) => word.toString(36).slice(2)).join('')
}
