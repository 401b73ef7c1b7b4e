/** Which sales a marketer looks for. The API, the console and the command line share it. */

import { plainText } from '../lib/text.ts'
import type { SaleKind } from './kinds.ts'
import { type ReadinessState, readiness } from './readiness.ts'
import type { Sale } from './sale.ts'

/**
 * The states to look for. `waiting`: the sale does not open until it is started. A list of sales carries no stock, so a
 * sold-out sale is `live` until it ends. `near`: it is live or paused, opens within a day, or ended within the last
 * one.
 */
export const searchStates = ['waiting', 'scheduled', 'live', 'paused', 'ended', 'near'] as const
type SearchState = (typeof searchStates)[number]

/** Characters of a text to look for, at most: the gate passes 512 characters of a query, and a Chinese one takes 9. */
export const maxFind = 40

/** Sales on one page of a list, unless the caller asks for another number. */
export const salesPerPage = 50

/** `find` are words in the titles or the id, all of them; an absent field accepts every sale. */
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

/** How far from now a sale that is `near` opens or ended, ms. */
export const nearMs = 86_400_000

/** True when a sale is `near` at `now` (epoch ms). */
export function isNear(sale: Sale, now: number): boolean {
  const { state, startsAt } = readiness(sale, now)
  if (state === 'open' || state === 'paused') return true
  const at = state === 'ended' ? Math.min(now, sale.endsAt) : startsAt
  return Math.abs(at - now) < nearMs
}

/** Whether a list has numbers: of all its sales, of none, or of those whose orders may still change by themselves. */
export const numbersModes = ['true', 'false', 'moving'] as const

/** A page of the list of sales: its search, the `next` of the page before it, and which of the lists. */
export type SalesListQuery = SaleSearch & {
  after?: string | undefined
  archived?: boolean | undefined
  numbers?: boolean | 'moving' | undefined
}

/** Returns the query of a page; absent and empty fields are left out. */
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

/** True for a search that accepts every sale. */
export function isEmptySearch({ find = '', kind, state }: SaleSearch): boolean {
  return wordsIn(find).length === 0 && kind === undefined && state === undefined
}

/** Returns the test of a sale for `search` at `now` (epoch ms), by the same state that its row shows. */
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

/** Characters of the titles that a list of sales has beside its ids, and what stands for the rest. */
const maxTitlesLength = 200
const ellipsis = '…'

/** What a list of sales has of the titles, so that a search need not read each sale; longer ones are cut off. */
export function listedTitles(sale: Pick<Sale, 'title' | 'translations'>): string {
  const titles = plainTitles(sale)
  return titles.length <= maxTitlesLength ? titles : titles.slice(0, maxTitlesLength) + ellipsis
}

/** False when the sale is not what `search` looks for by what the list has of it. */
export function mayMatch({ find = '' }: SaleSearch, { saleId, titles }: { saleId: string; titles: string }): boolean {
  if (titles.endsWith(ellipsis)) return true
  const text = plain(`${saleId}\n${titles}`)
  return wordsIn(find).every((word) => text.includes(word))
}

const wordsIn = (text: string) =>
  plain(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Neither case, the width of a character, nor what shows nothing makes a difference. */
const plain = (text: string) => plainText(text).toLowerCase()
