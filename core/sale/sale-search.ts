/** The search in lists of sales, shared by the API, the console and the command line. */

import { plainText } from '../lib/text.ts'
import type { SaleKind } from './kinds.ts'
import { type ReadinessState, readiness } from './readiness.ts'
import type { Sale } from './sale.ts'

/**
 * The states to search for. `waiting`: the sale does not open until it is started. A list of sales has no stock, so a
 * sold-out sale is `live` until it ends. `near`: it is live or paused, opens within a day, or ended within the last day.
 */
export const searchStates = ['waiting', 'scheduled', 'live', 'paused', 'ended', 'near'] as const
type SearchState = (typeof searchStates)[number]

/** Maximum length of the search text: the gate allows a query of 512 characters, and a Chinese character takes 9. */
export const maxFind = 40

/** Default number of sales on a page. */
export const salesPerPage = 50

/** Every word of `find` must be in the titles or the id. An absent field matches every sale. */
export type SaleSearch = { find?: string | undefined; kind?: SaleKind | undefined; state?: SearchState | undefined }

const stateOfReadiness = {
  'needs-start': 'waiting',
  'needs-start-soon': 'waiting',
  overdue: 'waiting',
  scheduled: 'scheduled',
  open: 'live',
  paused: 'paused',
  ended: 'ended',
} as const satisfies Record<ReadinessState, SearchState>

/** Maximum time to the opening or since the end of a sale that is `near`, ms. */
export const nearMs = 86_400_000

/** True when a sale is `near` at `now` (epoch ms). */
export function isNear(sale: Sale, now: number): boolean {
  const { state, startsAt } = readiness(sale, now)
  if (state === 'open' || state === 'paused') return true
  const at = state === 'ended' ? Math.min(now, sale.endsAt) : startsAt
  return Math.abs(at - now) < nearMs
}

/** Selects the sales of a list that have numbers: all, none, or those whose orders may still change by themselves (`moving`). */
export const numbersModes = ['true', 'false', 'moving'] as const

/** The query of a page of sales. `after` is the `next` of the previous page. */
export type SalesListQuery = SaleSearch & {
  after?: string | undefined
  archived?: boolean | undefined
  numbers?: boolean | 'moving' | undefined
}

/** Returns the query parameters of a page, without absent and empty fields. */
export function salesQuery({ after = '', archived, numbers, find = '', kind, state }: SalesListQuery) {
  return {
    ...(after !== '' && { after }),
    ...(archived === true && { archived: 'true' }),
    ...(find !== '' && { find }),
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(numbers && { numbers: String(numbers) }),
  }
}

/** True for a search that matches every sale. */
export function isEmptySearch({ find = '', kind, state }: SaleSearch): boolean {
  return wordsIn(find).length === 0 && kind === undefined && state === undefined
}

/** Returns a predicate for a search at `now` (epoch ms). It uses the state that the row of a sale shows. */
export function matcherFor({ find = '', kind, state }: SaleSearch, now: number): (sale: Sale) => boolean {
  const words = wordsIn(find)
  return (sale) =>
    (kind === undefined || sale.kind === kind) &&
    (state === undefined || isInState(sale, state, now)) &&
    (words.length === 0 || hasWords(sale, words))
}

const isInState = (sale: Sale, state: SearchState, now: number): boolean =>
  state === 'near' ? isNear(sale, now) : stateOfReadiness[readiness(sale, now).state] === state

function hasWords(sale: Sale, words: readonly string[]): boolean {
  const text = `${plain(sale.saleId)}\n${plainTitles(sale)}`
  return words.every((word) => text.includes(word))
}

const plainTitles = ({ title, translations }: Pick<Sale, 'title' | 'translations'>) =>
  plain([title, ...Object.values(translations ?? {}).map((texts) => texts?.title ?? '')].join('\n'))

/** Maximum length of the titles in the list of sales. */
const maxTitlesLength = 200
const ellipsis = '…'

/** Returns the titles for the list of sales, so that a search need not read each sale. Truncates long ones. */
export function listedTitles(sale: Pick<Sale, 'title' | 'translations'>): string {
  const titles = plainTitles(sale)
  return titles.length <= maxTitlesLength ? titles : titles.slice(0, maxTitlesLength) + ellipsis
}

/** False when the id and the listed titles show that the sale does not match. Truncated titles may always match. */
export function mayMatch({ find = '' }: SaleSearch, { saleId, titles }: { saleId: string; titles: string }): boolean {
  if (titles.endsWith(ellipsis)) return true
  const text = plain(`${saleId}\n${titles}`)
  return wordsIn(find).every((word) => text.includes(word))
}

const wordsIn = (text: string) =>
  plain(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Ignores case, character width and invisible characters. */
const plain = (text: string) => plainText(text).toLowerCase()
