/**
 * What the law of a market asks of the value of units that are drawn. Apart from `lackInMarket`, whose module is part of the
 * first screen of the console.
 */
import { majorText } from '../money.ts'
import type { Refusal } from '../refusals.ts'
import { type Market, marketRules } from './market.ts'

type Prize = {
  market: Market
  price: number
  currency: string
  draw?: { prizeValue?: number | undefined } | undefined
}

/**
 * Why a sale cannot be published in its market: a unit that it draws is worth more than the most there, or its value is missing
 * although it is free. The price says what other units are worth.
 */
export function wrongPrize({ market, price, currency, draw }: Prize): Refusal | undefined {
  const { mostPrize: most } = marketRules[market]
  if (most === undefined || draw === undefined) return undefined
  const { prizeValue } = draw
  const isAllowed = prizeValue === undefined ? price > 0 : currency === most.currency && prizeValue <= most.amount
  if (isAllowed) return undefined
  const values = { market, most: `${majorText(most.amount, most.currency)} ${most.currency}` }
  return { reason: 'market-prize', field: 'draw.prizeValue', values }
}
