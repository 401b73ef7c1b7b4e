/**
 * Packs a window's definition into one field of the stock hash, `packedWindow`, and unpacks it. One
 * field is read and compared faster than six that are parsed: claim.lua does so for every claim.
 */

import { sortableTime } from '../../core/lib/sortable-time.ts'
import type { Sale, ThrottleRule } from '../../core/sale/sale.ts'
import type { SaleKind } from '../../core/sale/settings.ts'
import { nextWindow } from '../../core/sale/windows.ts'

export type OpenWindow = Pick<
  Sale,
  'kind' | 'flag' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt' | 'version' | 'windows' | 'windowIndex'
>

/**
 * `<last> <opens> <token> <epoch>` while the flag is on, where `last` is the last millisecond of
 * the sale; `<last> <opens>!<flag> <epoch>` otherwise, with the flag `none` when it is on without a
 * token. A `+` instead of the first space means that another window follows. The token is that of
 * `tokenWord`. In the stock's definition
 * ` <max per order> <limit per shopper> <tries> <window ms>` follow, with a `*` instead of the first
 * space where the sale has variants.
 */
export function packWindow(opening: OpenWindow): string {
  const { kind, flag, epoch, startToken, startsAt, endsAt } = opening
  const shut = `!${flag === 'on' ? 'none' : flag}`
  const door = flag === 'on' && startToken !== null && startToken !== '' ? ` ${tokenWord(kind, startToken)}` : shut
  const then = nextWindow(opening) === undefined ? ' ' : '+'
  return `${sortableTime(endsAt - 1)}${then}${sortableTime(startsAt)}${door} ${epoch}`
}

/**
 * The start token as scripts compare it: only a claim fits a sale of packets, and fits no other
 * sale.
 */
export function tokenWord(kind: SaleKind, startToken: string): string {
  return kind === 'red-packet' ? `p:${startToken}` : startToken
}

/**
 * The last two words: how many tries of one shopper count in a window, and its length in ms (R2).
 */
export function packTries({ limit, windowSeconds }: ThrottleRule): string {
  return `${limit} ${windowSeconds * 1000}`
}

/**
 * The packedWindow of a frozen stock: no time at which buying is open, and the word scripts check.
 */
export const frozenWindow = `${sortableTime(0)} ${sortableTime(0)}!frozen 0 1 1 1 1`

/**
 * A packedWindow. Shoppers may buy from `opensAt` to `lastAt` (epoch ms) with the token; without one
 * `flag` says why not: the sale's flag, `frozen`, or `none` for a flag that is on without a token.
 * `isFollowed`: another window follows. `hasVariants`: an order names its variant.
 */
export type UnpackedWindow = {
  opensAt: number
  lastAt: number
  isFollowed: boolean
  token: string | undefined
  flag: string | undefined
  epoch: number
  maxPerOrder: number
  limitPerShopper: number
  hasVariants: boolean
}

const packed = /^(\d{15})([ +])(\d{15})(?: (\S+)|!(\w+)) (\d+)([ *])(\d+) (\d+) \d+ \d+$/

/** The window in `packedWindow`; undefined when it is not one. */
export function unpackWindow(packedWindow: string): UnpackedWindow | undefined {
  const [, lastAt, then, opensAt, token, flag, epoch, by, max, limit] = packed.exec(packedWindow) ?? []
  if (lastAt === undefined) return undefined
  return {
    opensAt: Number(opensAt),
    lastAt: Number(lastAt),
    isFollowed: then === '+',
    token,
    flag,
    epoch: Number(epoch),
    maxPerOrder: Number(max),
    limitPerShopper: Number(limit),
    hasVariants: by === '*',
  }
}

/** True for the packedWindow of a frozen stock. */
export function isFrozenWindow(packedWindow: string): boolean {
  return packedWindow.startsWith('!frozen', 31)
}
