/** A sale of red packets on the rig with the real Redis, and helpers for it. */

import { expect } from 'vitest'
import type { OrderMessage } from '../../../core/orders/order-message.ts'
import type { RedPacket } from '../../../core/packets/packet.ts'
import { findCredits } from '../../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { type Reservation, reserve } from '../../../redis/buy/reserve.ts'
import type { Commander } from '../../../redis/command.ts'
import { completeAdmissions } from '../../../redis/gate/complete-admissions.ts'
import { countPackets } from '../../../redis/packets/packets.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { aClaim, waitingPackets } from '../../redis/packets/rain.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'
import { repairsOf } from './repairs.ts'

export const count = 12
export const totalAmount = 1200

/** The message of a claim. */
export type Claimed = OrderMessage & { packet: RedPacket }

export const sumOf = (claims: readonly Claimed[]) => claims.reduce((sum, { packet }) => sum + packet.amount, 0)
export const numbersOf = (claims: readonly Claimed[]) => claims.map(({ packet }) => packet.number)

/** The sale `phone` of `rig`, a sale of `count` packets in `server`, which is the stock's Redis and the gate's store in one. */
export function rainOf(server: Commander, rig: () => World) {
  async function create(changes: object = {}): Promise<void> {
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig().definition()
    const rain = { ...definition, kind: 'red-packet', packets: { count, totalAmount }, ...changes }
    expect(await rig().ask('POST', '/sales', rain)).toMatchObject({ status: 201 })
  }

  async function open(changes: object = {}): Promise<void> {
    await create(changes)
    expect(await rig().act('start', { now: true })).toMatchObject({ status: 200 })
  }

  /** The queue of orders has so many messages, of any sale. */
  const queueHas = (visible: number) => {
    rig().ports.orderQueue = { ...rig().queue, depth: async () => ({ visible, inFlight: 0, delayed: 0 }) }
  }

  /** A shopper claims, and the gate learns of it. */
  async function claimOnce(shopper: number): Promise<Reservation> {
    const now = rig().ports.clock()
    const claimed = await reserve(server, aClaim(await rig().sale(), shopper, { now }))
    const seen = claimed.kind === 'reserved' ? claimed : undefined
    if (seen) await completeAdmissions(server, phone, { seconds: [], seen, now })
    return claimed
  }

  /** Lets shoppers claim whose functions end before they send anything. */
  async function claim(...shoppers: number[]): Promise<Claimed[]> {
    const claims: Claimed[] = []
    for (const shopper of shoppers) {
      const claimed = await claimOnce(shopper)
      const { packet, ...message } = claimed.kind === 'reserved' ? claimed.message : {}
      if (packet === undefined || !('orderId' in message)) throw new Error(`shopper ${shopper} got ${claimed.kind}`)
      claims.push({ ...message, packet })
    }
    return claims
  }

  /** Messages of claims arrive, however late. */
  async function deliver(claims: readonly Claimed[]): Promise<void> {
    rig().queue.messages.push(...claims)
    await rig().deliver()
  }

  /** Shoppers claim, and all is written. */
  async function claimAndWrite(...shoppers: number[]): Promise<Claimed[]> {
    const claims = await claim(...shoppers)
    await deliver(claims)
    return claims
  }

  const { recover: rebuild, reconcileSale } = repairsOf(rig)
  const reconcileNow = (full = false) => reconcileSale({ minAgeMs: 10_000, holdAgeMs: 900_000, full })
  const walletOf = async (shopper: number) => {
    const credits = await findCredits(rig().table.table, shopperIdOf(shopper))
    return credits.reduce((sum, { amount }) => sum + amount, 0)
  }
  const money = async () => (await saleTotals(rig().ports.table, phone))?.money
  const counts = () => countPackets(server, phone)
  const waiting = () => waitingPackets(server, { saleId: phone })

  /** Lets other shoppers claim until no packet is left, and writes all orders. */
  async function claimTheRest(from = 100): Promise<Claimed[]> {
    const left = (await readStock(server, phone))?.available ?? 0
    return claimAndWrite(...Array.from({ length: left }, (_, at) => from + at))
  }

  /** Claims the rest and checks that each packet has one order, all the money is in wallets, and nothing is left to correct. */
  async function expectAllGone(): Promise<void> {
    await claimTheRest(200)
    expect(await counts()).toMatchObject({ waiting: 0, booked: count, heldBack: 0 })
    expect(await money()).toMatchObject({ budget: totalAmount, claimed: totalAmount })
    expect(await reconcileNow(true)).toMatchObject({ state: 'in-step', drift: 0 })
  }

  return {
    ...{ create, open, queueHas, claimOnce, claim, deliver, claimAndWrite, claimTheRest, expectAllGone },
    ...{ reconcileNow, rebuild, walletOf, money, counts, waiting },
  }
}
