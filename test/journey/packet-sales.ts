/** Sales of red packets for journeys: opening one, claiming, and the wallets afterwards. */
import { expect } from 'vitest'
import type { Wallet } from '../../core/api/wallet.ts'
import { type Answer, call, click, eventually, openSale, type Shop } from './support.ts'

type Packet = { packetId: string; amount: number; currency: string; remaining?: number; repeat?: true }

export type PacketSale = Awaited<ReturnType<typeof openSale>>

export function packetSales(shop: () => Shop) {
  /** Every shopper signs in once, because a shopper gets few passes in a minute. */
  const tokens = new Map<string, string>()

  async function wallet(who: string): Promise<Wallet> {
    const answer = await call<Wallet>(shop(), '/api/wallet', { token: await shop().token(who) })
    expect(answer.status).toBe(200)
    return answer.body as Wallet
  }

  async function claim({ saleId, startToken }: PacketSale, who: string): Promise<Answer<Packet>> {
    const token = tokens.get(who) ?? (await shop().token(who))
    tokens.set(who, token)
    return click<Packet>(shop(), `/api/sales/${saleId}/packets`, { token, body: { startToken } })
  }

  return {
    openPacketSale: (count: number, totalAmount: number, change: Record<string, unknown> = {}): Promise<PacketSale> =>
      openSale(shop(), {
        ...{ kind: 'red-packet', price: undefined, stock: undefined },
        ...{ limitPerShopper: undefined, maxPerOrder: undefined },
        ...{ title: 'Lucky rain', packets: { count, totalAmount }, admissionRatio: 100, ...change },
      }),

    claim,

    /** Claims again while the answer is a 503 or 429. */
    claimWithRetries: (sale: PacketSale, who: string): Promise<Answer<Packet>> =>
      eventually(async () => {
        const answer = await claim(sale, who)
        return answer.status === 503 || answer.status === 429 ? undefined : answer
      }),

    wallet,

    /** The credit of `who` from the sale, once it is written. */
    creditOf: ({ saleId }: PacketSale, who: string) =>
      eventually(async () => (await wallet(who)).credits.find((credit) => credit.saleId === saleId)),
  }
}
