/**
 * The terms of an opening packed into one field of the stock hash, `terms`, for reserve.lua. Fetching a field
 * and turning text into a number each cost about a tenth of a microsecond, and the script runs once per click
 * that reaches Redis; one field whose text can be compared as it stands costs less than six that cannot.
 */
import type { Sale, SaleKind, ThrottleRule } from '../core/sale.ts'
import { nextSlot } from '../core/slots.ts'
import { sortableTime } from '../core/sortable-time.ts'

export type Opening = Pick<
  Sale,
  'kind' | 'flag' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt' | 'version' | 'slots' | 'slot'
>

/**
 * `<last> <opens> <token> <epoch>` while the flag is on, where `last` is the last millisecond of the sale; and
 * `<last> <opens>!<flag> <epoch>` while nobody may buy, with the flag `none` when it is on without a token. With `+` in
 * the place of the first space another window follows.
 * The token is that of `tokenWord`.
 * ` <max per order> <limit per shopper> <tries> <window ms>` comes behind it in the stock's definition.
 */
export function packTerms(opening: Opening): string {
  const { kind, flag, epoch, startToken, startsAt, endsAt } = opening
  const shut = `!${flag === 'on' ? 'none' : flag}`
  const door =
    flag === 'on' && startToken !== null && startToken !== '' ? ` ${tokenWord(kind, startToken)}` : shut
  const then = nextSlot(opening) === undefined ? ' ' : '+'
  return `${sortableTime(endsAt - 1)}${then}${sortableTime(startsAt)}${door} ${epoch}`
}

/** The start token as scripts compare it: nothing but a claim opens a sale of packets, and a claim opens nothing else. */
export function tokenWord(kind: SaleKind, startToken: string): string {
  return kind === 'red-packet' ? `p:${startToken}` : startToken
}

/** The last two words of the terms: how many tries of one shopper count in a window, and its length in ms (R2). */
export function packTries({ limit, windowSeconds }: ThrottleRule): string {
  return `${limit} ${windowSeconds * 1000}`
}

/** What a fenced stock has for terms: no time at which anybody may buy, and the word by which scripts know it. */
export const fencedTerms = `${sortableTime(0)} ${sortableTime(0)}!fenced 0 1 1 1 1`

/** True for the terms of a fenced stock. */
export function areFenced(terms: string): boolean {
  return terms.startsWith('!fenced', 31)
}
