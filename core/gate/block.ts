/**
 * Entries of the block list (R8): a shopper (or a member of staff, by the subject of the session), a range of
 * addresses, the key that signed sessions, or the key of a shop.
 */

import { parseShopperId } from '../ids.ts'
import { plainText } from '../lib/text.ts'
import { isShopName } from '../orders/shop-key.ts'
import { isSessionKeyId } from '../people/session.ts'
import { formatRange, networkOf, parseRange, subscriberBits } from './ip-address.ts'

export const blockKinds = ['ip', 'shopper', 'session-key', 'shop-key'] as const
export type BlockKind = (typeof blockKinds)[number]

/** `value` is a shopper id, an address range in canonical form, the id of a session key, or the name of a shop key. */
export type Block = { kind: BlockKind; value: string }

/** Returns the entry for `typed`, which a marketer has typed or pasted, or undefined for an invalid kind or value. */
export function parseBlock(kind: string, typed: string): Block | undefined {
  const value = plainText(typed)
  switch (kind) {
    case 'shopper':
      return parseShopperId(value) === undefined ? undefined : { kind, value }
    case 'session-key':
      return isSessionKeyId(value) ? { kind, value } : undefined
    case 'shop-key':
      return isShopName(value) ? { kind, value } : undefined
    case 'ip': {
      const range = parseRange(value)
      return range === undefined ? undefined : { kind, value: formatRange(range) }
    }
    default:
      return undefined
  }
}

/** The shortest prefix that needs no confirmation: 16 million IPv4 addresses, or those of a large provider. */
export const shortestPrefix = { 4: 8, 6: 19 } as const

/** True when a block covers so many addresses that it is likely a mistake. */
export function isWide({ kind, value }: Block): boolean {
  const range = kind === 'ip' ? parseRange(value) : undefined
  return range !== undefined && range.prefix < shortestPrefix[range.family]
}

/** Returns the entry for a subscriber's whole IPv6 network; undefined for IPv4, and for an entry that covers it already. */
export function networkBlock({ kind, value }: Block): Block | undefined {
  const range = kind === 'ip' ? parseRange(value) : undefined
  if (range === undefined || range.prefix <= subscriberBits[range.family]) return undefined
  return { kind, value: formatRange(networkOf(range, subscriberBits[range.family])) }
}

/** Returns the field of the block list for the entry, such as `shopper <id>` or `ip <range>`. */
export function blockField({ kind, value }: Block): string {
  return `${kind} ${value}`
}

/** Returns the entry in a field of the block list, or undefined for an invalid field. */
export function parseBlockField(field: string): Block | undefined {
  const [kind = '', value = '', ...more] = field.split(' ')
  return more.length > 0 ? undefined : parseBlock(kind, value)
}
