/**
 * Early access: members may buy some minutes before all others. The sale starts for all at its time;
 * the turn (spread.ts) of a shopper who is neither of the level nor on the list of the sale comes later, and in an
 * invited-only sale never.
 */
import { parseShopperId, type ShopperId } from '../ids.ts'
import { isVariantId } from './variants.ts'

/**
 * The first `minutes` of each window (R7) are for members of `minLevel` and above, and with `list` for the
 * shoppers on the list of the sale. Where `list` is `only`, all of each window is, and there are no minutes.
 */
export type EarlyAccess = {
  minutes?: number | undefined
  minLevel?: number | undefined
  list?: 'on' | 'only' | undefined
}

/** How long only members may buy before all others, ms from the start; 0 where there are no others, or no early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}

/** Whether only members may buy as long as the sale runs. */
export function isInvitedOnly(earlyAccess: Pick<EarlyAccess, 'list'> | undefined): boolean {
  return earlyAccess?.list === 'only'
}

/** A member of the list of a sale: a shopper, or a shopper with the only variant that is for this shopper, such as `ann m`. */
export type ListMember = ShopperId | `${ShopperId} ${string}`

/** The member who may buy only `variant`, or all that the sale has without one. No shopper id has a space. */
export function listMember(shopperId: ShopperId, variant: string | undefined): ListMember {
  return variant === undefined ? shopperId : `${shopperId} ${variant}`
}

/** The shopper and the variant in a member of a list. */
export function partsOfMember(member: ListMember): { shopperId: ShopperId; variant?: string } {
  const [shopperId, variant] = member.split(' ')
  return { shopperId: shopperId as ShopperId, ...(variant !== undefined && { variant }) }
}

/** The member in a text; undefined for any other text. */
export function parseListMember(text: unknown): ListMember | undefined {
  if (typeof text !== 'string') return undefined
  const [id, variant, ...more] = text.split(' ')
  const shopperId = parseShopperId(id)
  const isListed = more.length === 0 && (variant === undefined || isVariantId(variant))
  return shopperId !== undefined && isListed ? listMember(shopperId, variant) : undefined
}
