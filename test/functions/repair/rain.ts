/** A sale of red packets on the rig with the real Redis, and helpers for it. */

import { expect } from 'vitest'
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import { creditClaims } from '../../../functions/packets/credit.ts'
import { reconcileSale } from '../../../functions/repair/reconcile-sale.ts'
import { recover, recoveryPatienceMs } from '../../../functions/repair/stock/recover.ts'
import { findWallet } from '../../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import type { Commander, Stocks } from '../../../redis/command.ts'
import { completeAdmissions } from '../../../redis/gate/complete-admissions.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { claim } from '../../../redis/packets/claim.ts'
import { countPackets } from '../../../redis/packets/packets.ts'
import { acknowledgeClaims } from '../../../redis/packets/stored-claims.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'

export const count = 12
export const totalAmount = 1200

/**
 * The sale `phone` of `rig`, a sale of `count` packets in `server`, which is the stock's Redis and the gate's store in one.
 * Shoppers claim from `stocks`.
 */
export function rainOf(server: () => Commander, rig: () => World, stocks: () => Stocks) {
  const redis = server

  async function open(changes: object = {}): Promise<void> {
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig().definition()
    const rain = { ...definition, kind: 'red-packet', packets: { count, totalAmount }, ...changes }
    expect(await rig().ask('POST', '/sales', rain)).toMatchObject({ status: 201 })
    expect(await rig().act('start', { now: true })).toMatchObject({ status: 200 })
  }

  const sale = async () => {
    const record = await findSale(rig().table, phone)
    if (record === undefined) throw new Error('the sale is gone')
    return record.sale
  }

  const tapOnce = async (shopper: number) => {
    const { startToken } = await sale()
    const { now } = rig().clock
    const tapped = await claim(stocks(), {
      ...{ saleId: phone, shopperId: shopperIdOf(shopper), startToken: startToken ?? '', now },
      requestId: `r-${shopper}`,
    })
    if ('booked' in tapped && tapped.remaining !== -1)
      await completeAdmissions(redis(), phone, { seconds: [], seen: tapped, now })
    return tapped
  }

  /** Shoppers tap and the gate learns of it, and their functions end before they send anything. */
  async function tap(...shoppers: number[]): Promise<ClaimMessage[]> {
    const claims: ClaimMessage[] = []
    for (const shopper of shoppers) {
      const tapped = await tapOnce(shopper)
      if (tapped.kind !== 'claimed') throw new Error(`shopper ${shopper} got ${tapped.kind}`)
      claims.push(tapped.message)
    }
    return claims
  }

  /** Messages of claims arrive, however late. */
  async function deliver(claims: readonly ClaimMessage[]) {
    const due = claims.map((one) => ({ ...one, budget: totalAmount }))
    return creditClaims(rig().ports, due, rig().clock.now + 1000)
  }

  /** The same, and all claims are credited. */
  async function tapAndCredit(...shoppers: number[]): Promise<ClaimMessage[]> {
    const claims = await tap(...shoppers)
    await deliver(claims)
    await acknowledgeClaims(stocks(), phone, claims)
    return claims
  }

  const reconcileNow = async (full = false) => {
    const asked = { minAgeMs: 10_000, holdAgeMs: 900_000, full, deadline: rig().clock.now + 10_000 }
    return reconcileSale({ ...rig().ports, ...asked }, await sale())
  }
  const rebuild = (ports = rig().ports) =>
    recover(ports, { who: 'mia', requestId: 'r' }, phone, rig().clock.now + recoveryPatienceMs)
  const walletOf = async (shopper: number) =>
    (await findWallet(rig().table.table, shopperIdOf(shopper))).balances[0]?.amount ?? 0
  const money = async () => (await saleTotals(rig().ports.table, phone))?.money
  const counts = () => countPackets(redis(), phone)

  /** Other shoppers tap until no packet is left; all claims are credited. */
  async function handOutTheRest(from = 100) {
    const left = (await readStock(stocks(), phone))?.available ?? 0
    return tapAndCredit(...Array.from({ length: left }, (_, at) => from + at))
  }

  /** The stock's Redis restarts without a file; the gate's store is another one. */
  const loseStock = () => raw(redis(), 'DEL', ...Object.values(stockKeys(phone)))

  return {
    ...{ open, sale, tapOnce, tap, deliver, tapAndCredit, handOutTheRest, loseStock },
    ...{ reconcileNow, rebuild, walletOf, money, counts },
  }
}
