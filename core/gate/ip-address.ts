/** IP addresses and ranges as numbers. Each range has one canonical form, because lists of ranges are compared as text. */

/** `value` has 32 bits for family 4 and 128 for family 6. */
export type Address = { family: 4 | 6; value: bigint }

/** All addresses that begin with the first `prefix` bits of `value`, whose other bits are zero. */
export type AddressRange = { family: 4 | 6; value: bigint; prefix: number }

const bitsOf = { 4: 32, 6: 128 } as const

/** A subscriber has one IPv4 address, or an IPv6 network in which devices change their addresses. */
export const subscriberBits = { 4: 32, 6: 64 } as const

/** A number below 1,000 without leading zeros, which some parsers read as octal. */
const decimal = /^(?:0|[1-9]\d{0,2})$/
const hexadecimal = /^[0-9a-f]{1,4}$/i

/** Returns the address in `text`, or undefined: IPv4, or IPv6 (RFC 4291) without a zone. `::ffff:a.b.c.d` is a.b.c.d. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const value = readOctets(text)
    return value === undefined ? undefined : { family: 4, value }
  }
  const value = readGroups(text)
  if (value === undefined) return undefined
  return value >> 32n === 0xffffn ? { family: 4, value: value & 0xffffffffn } : { family: 6, value }
}

function readOctets(text: string): bigint | undefined {
  const octets = text.split('.')
  const isValid = octets.length === 4 && octets.every((one) => decimal.test(one) && Number(one) < 256)
  return isValid ? octets.reduce((value, one) => (value << 8n) | BigInt(one), 0n) : undefined
}

/** Reads eight groups of 16 bits. `::` stands for the missing ones, which are zero. */
function readGroups(text: string): bigint | undefined {
  const [head = '', tail, ...more] = text.split('::')
  const left = groupsIn(head, tail === undefined)
  const right = groupsIn(tail ?? '', true)
  if (left === undefined || right === undefined || more.length > 0) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const zeros = Array.from({ length: missing }, () => 0n)
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n)
}

/** Returns the groups in a part of an address. At the end of an address, the last two may be written as octets. */
function groupsIn(part: string, isEnd: boolean): bigint[] | undefined {
  if (part === '') return []
  const words = part.split(':')
  const octets = isEnd && part.includes('.') ? readOctets(words.pop() ?? '') : undefined
  if (!words.every((word) => hexadecimal.test(word))) return undefined
  const groups = words.map((word) => BigInt(`0x${word}`))
  if (octets !== undefined) return [...groups, octets >> 16n, octets & 0xffffn]
  return part.includes('.') ? undefined : groups
}

/** Returns the range of addresses that share the first `prefix` bits of `address`. */
export function networkOf({ family, value }: Address, prefix: number): AddressRange {
  const rest = BigInt(bitsOf[family] - prefix)
  return { family, value: (value >> rest) << rest, prefix }
}

/**
 * Returns the range in `text`, or undefined: an address, optionally with `/` and a prefix. Bits after the prefix are set
 * to zero. The prefix of an IPv4 address written as IPv6 includes its 96 leading bits.
 */
export function parseRange(text: string): AddressRange | undefined {
  const [start = '', length, ...more] = text.split('/')
  const address = parseAddress(start)
  if (address === undefined || more.length > 0) return undefined
  const bits = bitsOf[address.family]
  if (length === undefined) return networkOf(address, bits)
  const before = address.family === 4 && start.includes(':') ? 96 : 0
  const prefix = decimal.test(length) ? Number(length) - before : -1
  return prefix >= 0 && prefix <= bits ? networkOf(address, prefix) : undefined
}

/** Returns the canonical form of a range (RFC 5952); a range of one address has no prefix. */
export function formatRange({ family, value, prefix }: AddressRange): string {
  const start = family === 4 ? formatOctets(value) : formatGroups(value)
  return prefix === bitsOf[family] ? start : `${start}/${prefix}`
}

function formatOctets(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

/** Writes the first of the longest runs of zeros as `::` if it has two or more groups. */
function formatGroups(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => (value >> BigInt(112 - 16 * at)) & 0xffffn)
  let [run, length] = [0, 1]
  for (let start = 0; start < groups.length; start += 1) {
    let end = start
    while (groups[end] === 0n) end += 1
    if (end - start > length) [run, length] = [start, end - start]
  }
  const text = (part: bigint[]) => part.map((group) => group.toString(16)).join(':')
  return length === 1 ? text(groups) : `${text(groups.slice(0, run))}::${text(groups.slice(run + length))}`
}
