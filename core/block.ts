/** Entries of the block list (R8): a shopper, or a range of addresses. */
import { formatRange, parseRange } from './address.ts'
import { parseShopperId } from './ids.ts'

export const blockKinds = ['shopper', 'ip'] as const
type BlockKind = (typeof blockKinds)[number]

/** `value` is a shopper id, or a range in canonical spelling. */
export type Block = { kind: BlockKind; value: string }

/** The entry for `value`, as a marketer may type it, or undefined for an invalid kind or value. */
export function parseBlock(kind: string, value: string): Block | undefined {
  if (kind === 'shopper') return parseShopperId(value) === undefined ? undefined : { kind, value }
  if (kind !== 'ip') return undefined
  const range = parseRange(value)
  return range === undefined ? undefined : { kind, value: formatRange(range) }
}

/**
 * The shortest prefix blocked without a confirmation: 16 million addresses of IPv4, a provider's of
 * IPv6.
 */
export const shortestPrefix = { 4: 8, 6: 19 } as const

/** True when a block covers so many addresses that it is likely a mistake. */
export function isWide({ kind, value }: Block): boolean {
  const range = kind === 'ip' ? parseRange(value) : undefined
  return range !== undefined && range.prefix < shortestPrefix[range.family]
}

/** The entry as a field of the block list: `shopper <id>` or `ip <range>`. */
export function blockField({ kind, value }: Block): string {
  return `${kind} ${value}`
}

/** The entry in a field of the block list, or undefined for an invalid field. */
export function parseBlockField(field: string): Block | undefined {
  const [kind = '', value = '', ...more] = field.split(' ')
  return more.length > 0 ? undefined : parseBlock(kind, value)
}
