/** Claims of red packets. */
import { type Click, type ClickOptions, click, type Unwon } from './click.ts'
import type { Connection } from './connection.ts'

/** `amount` is in minor units. */
export type Packet = { packetId: string; amount: number; currency: string; repeat: boolean }

export type Claim = (Packet & { kind: 'won'; key: string }) | Unwon

/** The click of a claim. The wallet shows a packet only once it is credited, however late that is. */
export const claimOf = (saleId: string): Click<Packet & { kind: 'won' }> => ({
  saleId,
  path: `/api/sales/${saleId}/packets`,
  body: {},
  isKeyless: true,
  read: packetIn,
  find: {
    path: () => `/api/packets?sale=${saleId}`,
    read(body) {
      const { packet } = (body ?? {}) as { packet?: object | null }
      return packet === null ? undefined : (packetIn({ ...packet, repeat: true }) ?? 'unread')
    },
  },
})

export const claims = (shop: Connection) => ({
  /** Claims a red packet, one for each shopper; repeatable. @throws when `signal` is aborted, with an open outcome */
  claim: (saleId: string, how: ClickOptions = {}): Promise<Claim> => click(shop, claimOf(saleId), how),
})

function packetIn(body: unknown): (Packet & { kind: 'won' }) | undefined {
  const { packetId, amount, currency, repeat = false } = (body ?? {}) as Partial<Packet>
  if (typeof packetId !== 'string' || typeof amount !== 'number' || typeof currency !== 'string') return undefined
  return { kind: 'won', packetId, amount, currency, repeat }
}
