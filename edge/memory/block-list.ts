/** The block list in memory (R8). Its cost per request does not grow with the number of entries. */
import { type Address, networkOf, parseAddress, parseRange } from '../../core/gate/ip-address.ts'
import type { ShopperId } from '../../core/ids.ts'

export type BlockList = {
  hasShopper(shopperId: ShopperId): boolean
  hasAddress(clientIp: string): boolean
  hasSessionKey(keyId: string): boolean
  hasShopKey(name: string): boolean
}

/** The networks of one address family by prefix length. */
type Networks = Map<number, Set<bigint>>

/** Parses fields in the form of core/gate/block.ts, such as `shopper <id>` or `ip <range>`. */
export function readBlockList(fields: readonly string[]): BlockList {
  const shoppers = new Set<string>()
  const sessionKeys = new Set<string>()
  const shopKeys = new Set<string>()
  const networks = { 4: new Map(), 6: new Map() } satisfies Record<Address['family'], Networks>
  for (const field of fields) {
    const [kind, value = ''] = field.split(' ')
    if (kind === 'shopper') shoppers.add(value)
    if (kind === 'ip') addRange(networks, value)
    if (kind === 'session-key') sessionKeys.add(value)
    if (kind === 'shop-key') shopKeys.add(value)
  }
  const hasRanges = networks[4].size + networks[6].size > 0
  return {
    hasShopper: (shopperId) => shoppers.has(shopperId),
    hasSessionKey: (keyId) => sessionKeys.has(keyId),
    hasShopKey: (name) => shopKeys.has(name),
    hasAddress(clientIp) {
      // Without ranges, which is nearly always, no address is parsed.
      const address = hasRanges ? parseAddress(clientIp) : undefined
      return address !== undefined && isIn(networks[address.family], address)
    },
  }
}

function addRange(networks: Record<Address['family'], Networks>, text: string): void {
  const range = parseRange(text)
  if (range === undefined) return
  const { family, prefix, value } = range
  const values = networks[family].get(prefix) ?? new Set<bigint>()
  networks[family].set(prefix, values.add(value))
}

/** One lookup per prefix length: ten thousand ranges have about a dozen lengths. */
function isIn(networks: Networks, address: Address): boolean {
  for (const [prefix, values] of networks) {
    if (values.has(networkOf(address, prefix).value)) return true
  }
  return false
}
