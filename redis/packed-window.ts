/**
 * The packedWindow of an opening packed into one field of the stock hash, `packedWindow`, for reserve.lua. Fetching a field
 * and turning text into a number each cost about a tenth of a microsecond, and the script runs once per click
 * that reaches Redis; one field whose text can be compared as it stands costs less than six that cannot.
 */
import type { Sale, SaleKind, ThrottleRule } from '../core/sale.ts'
import { sortableTime } from '../core/sortable-time.ts'
import { nextWindow } from '../core/windows.ts'

export type OpenWindow = Pick<
  Sale,
  'kind' | 'flag' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt' | 'version' | 'windows' | 'windowIndex'
>

/**
 * `<last> <opens> <token> <epoch>` while the flag is on, where `last` is the last millisecond of the sale; and
 * `<last> <opens>!<flag> <epoch>` while nobody may buy, with the flag `none` when it is on without a token. With `+` in
 * the place of the first space another window follows.
 * The token is that of `tokenWord`.
 * ` <max per order> <limit per shopper> <tries> <window ms>` comes behind it in the stock's definition.
 */
export function packWindow(opening: OpenWindow): string {
  const { kind, flag, epoch, startToken, startsAt, endsAt } = opening
  const shut = `!${flag === 'on' ? 'none' : flag}`
  const door =
    flag === 'on' && startToken !== null && startToken !== '' ? ` ${tokenWord(kind, startToken)}` : shut
  const then = nextWindow(opening) === undefined ? ' ' : '+'
  return `${sortableTime(endsAt - 1)}${then}${sortableTime(startsAt)}${door} ${epoch}`
}

/** The start token as scripts compare it: nothing but a claim opens a sale of packets, and a claim opens nothing else. */
export function tokenWord(kind: SaleKind, startToken: string): string {
  return kind === 'red-packet' ? `p:${startToken}` : startToken
}

/** The last two words of the packedWindow: how many tries of one shopper count in a window, and its length in ms (R2). */
export function packTries({ limit, windowSeconds }: ThrottleRule): string {
  return `${limit} ${windowSeconds * 1000}`
}

/** What a frozen stock has for packedWindow: no time at which anybody may buy, and the word by which scripts know it. */
export const frozenWindow = `${sortableTime(0)} ${sortableTime(0)}!frozen 0 1 1 1 1`

/** True for the packedWindow of a frozen stock. */
export function isFrozenWindow(packedWindow: string): boolean {
  return packedWindow.startsWith('!frozen', 31)
}
