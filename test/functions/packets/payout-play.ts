/**
 * Many wallets paid out over HTTP, with everything that goes wrong between a shopper, the function, the table
 * and the provider: lost answers, crashes between two steps, requests of two devices, an account that is
 * closed or lost meanwhile. At the end `reconcile` runs until nothing is due, and every cent is counted.
 */

import { setImmediate as turn } from 'node:timers/promises'
import type { ShopperId } from '../../../core/ids.ts'
import type { Payout, PayoutProvider } from '../../../functions/lib/shop/payout-provider.ts'
import type { ProviderName } from '../../../functions/orders/payments/choose.ts'
import type { WithdrawPorts } from '../../../functions/packets/payouts.ts'
import { duePayouts } from '../../../functions/table/packets/payouts.ts'
import { findWallet } from '../../../functions/table/packets/wallets.ts'
import { conflict, onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { type Fate, payoutRig, shopperNamed } from './payout-rig.ts'

/** Shoppers who withdraw at once. */
const atOnce = 40
const payoutsEach = 4

export async function playPayouts(name: ProviderName, count: number, seed: number) {
  const random = openRandom(seed)
  const faults = { areOn: true }
  const happens = (probability: number) => faults.areOn && random.chance(probability)
  const seen = { lost: 0, unreachable: 0, crashed: 0, refused: 0, paid: 0, repeated: 0 }
  const rig = await payoutRig(name, (path): Fate => {
    if (path.startsWith('/v1/transfers') && happens(0.03)) {
      const { accounts } = rig.provider.connect
      for (const [id, account] of accounts) {
        if (!random.chance(0.2)) continue
        // Stripe repeats its answer to a request for an account, so one that was never used is not lost.
        if (account.capabilities.transfers === 'active' && random.chance(0.3)) accounts.delete(id)
        else account.capabilities.transfers = 'inactive'
      }
    }
    if (happens(0.04)) {
      seen.unreachable += 1
      return 'unreachable'
    }
    if (happens(0.08)) {
      seen.lost += 1
      return 'lost'
    }
    return 'answered'
  })
  const violations: string[] = []
  const paidIn = new Map<string, number>()

  /** The function ends before the call, or after it and before its answer is used. */
  async function faulty<T>(call: () => Promise<T>): Promise<T> {
    for (let turns = random.whole(0, 2); turns > 0; turns -= 1) await turn()
    if (happens(0.03)) return crash()
    const answer = await call()
    if (happens(0.05)) return crash()
    return answer
  }
  function crash(): never {
    seen.crashed += 1
    throw new Error('the function has ended')
  }
  const table = onWire(rig.table.table, (name, send) =>
    faulty(() => (name === 'transact BALANCE+PAYOUT' && happens(0.1) ? Promise.reject(conflict()) : send())),
  )
  const payoutProvider: PayoutProvider = {
    account: (...args) => faulty(() => rig.ports.payoutProvider.account(...args)),
    payOut: (payout) =>
      faulty(async () => {
        const outcome = await rig.ports.payoutProvider.payOut(payout)
        // The simulated provider stores nothing: each of its answers must be the same.
        if (outcome.kind === 'paid') note(payout)
        return outcome
      }),
  }
  function note({ payoutId, amount }: Payout): void {
    if (paidIn.has(payoutId)) seen.repeated += 1
    if ((paidIn.get(payoutId) ?? amount) !== amount) violations.push(`${payoutId} was paid in two amounts`)
    paidIn.set(payoutId, amount)
  }
  const over: Partial<WithdrawPorts> = { table, payoutProvider }

  const credited = new Map<ShopperId, number>()
  async function earn(shopperId: ShopperId): Promise<void> {
    const amount = random.whole(100, 5000)
    credited.set(shopperId, (credited.get(shopperId) ?? 0) + amount)
    await rig.credit(shopperId, amount)
  }

  /** Asks as often as it takes, at times from two devices at once. */
  async function withdraw(who: string): Promise<void> {
    for (;;) {
      const devices = random.chance(0.3) ? 2 : 1
      const tries = await Promise.allSettled(
        Array.from({ length: devices }, () => rig.ask(who, { currency: 'EUR' }, over)),
      )
      const [answer] = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      if (answer === undefined) continue
      if (answer.body.url === undefined) return
      await rig.openAccount(answer.body.url)
    }
  }

  async function settle(): Promise<void> {
    rig.clock.now += 61_000
    await rig.reconcile(over).catch(() => 0)
  }

  try {
    const shoppers = Array.from({ length: Math.ceil(count / payoutsEach) }, (_, i) => shopperNamed(`shopper-${i}`))
    for (let start = 0; start < shoppers.length; start += atOnce) {
      const some = shoppers.slice(start, start + atOnce)
      for (let round = 0; round < payoutsEach; round += 1) {
        await Promise.all(
          some.map(async (shopperId) => {
            await earn(shopperId)
            await Promise.all([withdraw(shopperId), random.chance(0.3) && earn(shopperId)])
          }),
        )
        await settle()
      }
    }
    faults.areOn = false
    for (let runs = 0; runs < 5; runs += 1) await settle()
    await check()
  } finally {
    await rig.stop()
  }

  async function check(): Promise<void> {
    const due = await duePayouts(rig.table.table)
    if (due.length > 0) violations.push(`${due.length} payouts are still due`)
    let kept = 0
    for (const [shopperId, earned] of credited) {
      const wallet = await findWallet(rig.table.table, shopperId)
      const balance = wallet.balances.reduce((sum, { amount }) => sum + amount, 0)
      kept += balance
      let paid = 0
      for (const { payout, end } of wallet.payouts) {
        const isAtProvider = paidIn.has(payout.payoutId)
        if (end?.kind === 'paid') paid += payout.amount
        else seen.refused += 1
        if (isAtProvider !== (end?.kind === 'paid'))
          violations.push(`${payout.payoutId} is ${end?.kind} here, and at the provider paid: ${isAtProvider}`)
      }
      if (balance + paid !== earned) violations.push(`${shopperId}: ${balance} + ${paid} is not ${earned}`)
      if (balance < 0) violations.push(`${shopperId} owes ${-balance}`)
    }
    seen.paid = paidIn.size
    const earned = [...credited.values()].reduce((sum, amount) => sum + amount, 0)
    const paid = [...paidIn.values()].reduce((sum, amount) => sum + amount, 0)
    if (kept + paid !== earned) violations.push(`${kept} + ${paid} is not ${earned}`)
    if (name === 'stripe') checkTransfers(paid)
    const contradicted = rig.telemetry.counted('MoneyContradicted')
    if (contradicted > 0) violations.push(`${contradicted} outcomes contradict each other`)
  }

  function checkTransfers(paid: number): void {
    const { transfers } = rig.provider.connect
    const groups = new Set(transfers.map(({ transfer_group }) => transfer_group))
    if (groups.size !== transfers.length) violations.push('a payout was transferred twice')
    const moved = transfers.reduce((sum, { amount }) => sum + amount, 0)
    if (moved !== paid) violations.push(`${moved} was transferred, and ${paid} is paid`)
  }

  return { violations, seen }
}
