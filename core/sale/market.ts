/**
 * What the law of a market asks of a sale, as one table. The order page, the sale page, e-mails and the console follow
 * it, and `lackInMarket` says what a sale lacks. docs/compliance.md has each rule with its source and test. This is
 * no legal advice: a shop has its own texts checked by a lawyer of the market.
 */

import type { Brand, LegalPurpose } from '../brand.ts'
import type { Money } from '../money.ts'
import type { Refusal } from '../refusals.ts'

/** `other` has no rules. `EU` is a member state without an entry of its own. */
export const markets = ['other', 'EU', 'DE', 'AT', 'FR', 'UK', 'US', 'CN'] as const
export type Market = (typeof markets)[number]

/**
 * Goods that a shopper cannot simply send back. `custom`: made to the shopper's
 * order. `perishable`: fresh, or soon past its date. `press`: newspapers and magazines. `dated`: leisure on a certain day, such
 * as a ticket. `digital`: downloaded. `hygiene`: sealed for health or hygiene, once opened. `media`: sealed recordings or software,
 * once opened. `mixed`: once inseparable from other goods.
 */
export const withdrawalExceptions = [
  'custom',
  'perishable',
  'press',
  'dated',
  'digital',
  'hygiene',
  'media',
  'mixed',
] as const
export type WithdrawalException = (typeof withdrawalExceptions)[number]

/** Without a right to withdraw from the start; that of the other exceptions ends by what the shopper does, so its function stays. */
const neverReturned: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'custom',
  'perishable',
  'press',
  'dated',
  'digital',
])

/** What stands directly above the order button. `term`: how long the contract binds. */
export type BillLine = 'goods' | 'total' | 'delivery' | 'term'

/**
 * `orderButton`: the button that orders has only words that say the duty to pay (`bill.order` of a language file).
 * `orderLines` stand directly above it. `withdrawal` is the time to send goods back, in days from their arrival,
 * and the exceptions that a sale may name. `priceReductionDays`: a struck-through price is the lowest of so many days before the
 * reduction. `taxIncluded`: prices include the tax, and say so. `links` are those that the shop must have. `seller`:
 * the shop names its legal name, address and e-mail. `shipWithinDays` is the latest dispatch where the sale promises
 * no other. `mostPrize` is the most that a unit may be worth that is drawn; what it is worth is published before.
 */
export type MarketRules = {
  orderButton?: true
  orderLines: readonly BillLine[]
  withdrawal?: { days: number; exceptions: readonly WithdrawalException[] }
  priceReductionDays?: number | undefined
  taxIncluded: boolean
  links: readonly LegalPurpose[]
  seller: boolean
  shipWithinDays?: number
  mostPrize?: Money
}

/**
 * Directive 2011/83/EU on consumer rights: order button (Art. 8(2), second subparagraph; CJEU C-249/21: its words alone
 * count; C-400/22: also where the duty to pay depends on a condition), information before the order (Art. 8(2) with
 * Art. 6(1)(a), (e), (o) and (p)), identity (Art. 6(1)(b) and (c)), withdrawal (Art. 9 and 16(c) to (g), (i), (j) and (l);
 * (m), digital content, needs a consent that is recorded before, which a sale here does not ask for). Directive 98/6/EC:
 * prices with taxes (Art. 2(a) and 3), price reductions (Art. 6a; CJEU C-330/23: a percentage counts from the lowest price of 30
 * days). Directive 2000/31/EC Art. 5 and 10 and Regulation (EU) 2016/679 Art. 13: imprint, terms, privacy.
 */
const union: MarketRules = {
  orderButton: true,
  orderLines: ['goods', 'total', 'delivery', 'term'],
  withdrawal: {
    days: 14,
    exceptions: ['custom', 'perishable', 'press', 'dated', 'hygiene', 'media', 'mixed'],
  },
  priceReductionDays: 30,
  taxIncluded: true,
  links: ['imprint', 'terms', 'privacy', 'withdrawal'],
  seller: true,
}

// Marked as pure, so that bundles that need only the names of the markets leave the rules out.
export const marketRules: Readonly<Record<Market, MarketRules>> = /* @__PURE__ */ (() => ({
  other: { orderLines: [], taxIncluded: false, links: [], seller: false },
  EU: union,
  /** § 312j(3) BGB; withdrawal function: § 356a BGB; imprint: § 5 DDG; prices: § 3 and § 11 PAngV. */
  DE: union,
  /** § 8(2) FAGG; imprint: § 5 ECG; price reductions: § 9a PrAG. */
  AT: union,
  /** Code de la consommation L. 221-14 (button), L. 112-1-1 (price reductions), L. 221-18 and L. 221-28 (withdrawal). */
  FR: union,
  /**
   * Consumer Contracts Regulations 2013: button and lines (reg. 14), withdrawal (reg. 28 to 30), identity (sch. 2).
   * Digital Markets, Competition and Consumers Act 2024 s. 230: the total price with taxes. No period for earlier prices.
   */
  UK: { ...union, priceReductionDays: undefined, links: ['terms', 'privacy', 'withdrawal'] },
  /**
   * 16 CFR 435.2: a dispatch within the time promised, or 30 days. Federal law has no right to return what was ordered
   * online (16 CFR 429.1 is for sales at a home), and sales tax differs by place, so prices need not include it.
   */
  US: {
    orderLines: ['total', 'delivery'],
    taxIncluded: false,
    links: ['terms', 'privacy'],
    seller: false,
    shipWithinDays: 30,
  },
  /**
   * Consumer Protection Law Art. 25: seven days, with four exceptions; others need the shopper's confirmation when buying, which
   * a sale here does not ask for. E-Commerce Law Art. 15 (who sells), Art. 17 (goods as they are), Art. 50
   * (terms before the order). Provisions on Clearly Marked Prices and the Prohibition of Price Fraud (明码标价和禁止价格欺诈规定,
   * Order No. 56 of the State Administration for Market Regulation, in force since 1 July 2022) Art. 16(2): a price compared with,
   * whose details are not stated, is at most the lowest at which this shop sold in the seven days before, or that of its last sale
   * before where those days had no sale. Interim Provisions on Regulating Promotional Activities (SAMR order 32 of 2020): Art. 13, before a draw the value of its prizes is published, and their number or the odds: the
   * rules of a draw always have the number; Art. 17, no prize is worth more than 50,000 yuan, by its market price (Art. 18).
   */
  CN: {
    orderLines: ['goods', 'total', 'delivery'],
    withdrawal: { days: 7, exceptions: ['custom', 'perishable', 'press', 'digital', 'media'] },
    priceReductionDays: 7,
    taxIncluded: true,
    links: ['imprint', 'terms', 'privacy'],
    seller: true,
    mostPrize: { amount: 5_000_000, currency: 'CNY' },
  },
}))()

/** What decides whether a shopper may withdraw. */
export type WithdrawalTerms = { market: Market; withdrawalException: WithdrawalException | 'none' }

/**
 * For how many days a shopper may withdraw from an order of the sale; undefined where the market gives no such right, and for
 * goods that it excepts.
 */
export function withdrawalDaysOf({ market, withdrawalException }: WithdrawalTerms): number | undefined {
  return neverReturned.has(withdrawalException) ? undefined : marketRules[market].withdrawal?.days
}

/** What a sale has that its market judges. */
export type MarketTerms = {
  market: Market
  price: number
  taxPercent?: number | undefined
  listPrice?: number | undefined
  lowestPrice?: number | undefined
  withdrawalException?: WithdrawalTerms['withdrawalException'] | undefined
}

/** Whether a market may judge the sale: it has one with rules, or names an exception from them. */
export function hasMarketRules({ market, withdrawalException = 'none' }: Omit<MarketTerms, 'price'>): boolean {
  return market !== 'other' || withdrawalException !== 'none'
}

/**
 * Why `sale` cannot be started in its market by a shop with that brand: the first thing that is missing, with its
 * field. Undefined for a sale that has everything, and for free ones: nothing is ordered there for money.
 */
export function lackInMarket(sale: MarketTerms, brand: Brand): Refusal | undefined {
  const { market, price, taxPercent, withdrawalException: exception = 'none' } = sale
  if (price === 0) return undefined
  const { taxIncluded, seller, links, withdrawal } = marketRules[market]
  if (exception !== 'none' && withdrawal?.exceptions.includes(exception) !== true)
    return { reason: 'market-exception', field: 'withdrawalException', values: { market } }
  if (taxIncluded && taxPercent === undefined) return { reason: 'market-tax', field: 'taxPercent', values: { market } }
  const missing = links.find((purpose) => !(brand.links ?? []).some((link) => link.for === purpose))
  return (
    wrongReduction(sale) ??
    (seller && brand.seller === undefined
      ? { reason: 'market-seller', field: 'brand.seller', values: { market } }
      : undefined) ??
    (missing && { reason: 'market-link', field: 'brand.links', values: { market, purpose: missing } })
  )
}

/** A struck-through price that the market allows no reduction from. */
export function wrongReduction({
  market,
  listPrice,
  lowestPrice = 0,
}: Omit<MarketTerms, 'price'>): Refusal | undefined {
  const { priceReductionDays: days } = marketRules[market]
  if (days === undefined || listPrice === undefined || listPrice <= lowestPrice) return undefined
  return { reason: 'market-list-price', field: 'listPrice', values: { market, days } }
}
