/** Claims red packets. */
import { type Click, type ClickOptions, click, type Unwon } from './click.ts'
import type { Connection } from './connection.ts'

/** `amount` is in minor units. */
export type Packet = { packetId: string; amount: number; currency: string; repeat: boolean }

export type Claim = (Packet & { kind: 'won'; key: string }) | Unwon

/** Returns the click that claims a packet. Looks in `/api/packets`: the wallet has no packet that is not credited yet. */
export const packetClaim = (saleId: string): Click<Packet & { kind: 'won' }> => ({
  saleId,
  path: `/api/sales/${saleId}/packets`,
  body: {},
  isKeyless: true,
  read: parsePacket,
  find: {
    path: () => `/api/packets?sale=${saleId}`,
    read(body) {
      const { packet } = (body ?? {}) as { packet?: object | null }
      return packet === null ? undefined : (parsePacket({ ...packet, repeat: true }) ?? 'unread')
    },
  },
})

export const claims = (shop: Connection) => ({
  /**
   * Claims a red packet. A shopper has one in a sale, so a repeated call returns the same packet.
   * @throws when `signal` is aborted; the outcome is then unknown
   * @example
   * const claim = await client.claim('new-year-rain')
   * if (claim.kind === 'won') console.log(claim.amount, claim.currency)
   */
  claim: (saleId: string, how: ClickOptions = {}): Promise<Claim> => click(shop, packetClaim(saleId), how),
})

function parsePacket(body: unknown): (Packet & { kind: 'won' }) | undefined {
  const { packetId, amount, currency, repeat = false } = (body ?? {}) as Partial<Packet>
  if (typeof packetId !== 'string' || typeof amount !== 'number' || typeof currency !== 'string') return undefined
  return { kind: 'won', packetId, amount, currency, repeat }
}
