/** Payouts in memory, on the balances of the wallets that they are from. */
import type { ShopperId } from '../../core/ids.ts'
import type { Payouts } from '../../functions/packets/payouts.ts'
import type { PayoutRecord } from '../../functions/packets/wallet.ts'

export type MemoryPayouts = Payouts & { of: (shopperId: ShopperId) => readonly PayoutRecord[] }

type Balances = Map<ShopperId, Map<string, number>>

export function memoryPayouts(
  balances: Balances,
  pass: () => void,
  meetsAnother: () => boolean,
): MemoryPayouts {
  const records = new Map<string, PayoutRecord>()
  const accounts = new Map<ShopperId, string>()
  const openOf = (shopperId: ShopperId, currency: string) =>
    [...records.values()].find(
      ({ payout, end }) =>
        end === undefined && payout.shopperId === shopperId && payout.currency === currency,
    )?.payout
  const balanceOf = (shopperId: ShopperId, currency: string) => balances.get(shopperId)?.get(currency) ?? 0

  return {
    of: (shopperId) => [...records.values()].filter(({ payout }) => payout.shopperId === shopperId),
    async due() {
      pass()
      const due = [...records.values()].filter(({ end }) => end === undefined).map(({ payout }) => payout)
      return due.sort((a, b) => a.requestedAt - b.requestedAt || (a.payoutId < b.payoutId ? -1 : 1))
    },
    async find(shopperId, currency) {
      pass()
      const open = openOf(shopperId, currency)
      const account = accounts.get(shopperId)
      return { amount: balanceOf(shopperId, currency), ...(open && { open }), ...(account && { account }) }
    },
    async keepAccount(shopperId, account, known) {
      pass()
      const kept = accounts.get(shopperId)
      if (kept !== undefined && kept !== known) return kept
      accounts.set(shopperId, account)
      return account
    },
    async request(payout, seen) {
      pass()
      if (meetsAnother()) return 'busy'
      const { shopperId, currency, amount, payoutId } = payout
      const isOpen = openOf(shopperId, currency) !== undefined
      if (isOpen || balances.get(shopperId)?.get(currency) !== seen) return 'changed'
      balances.get(shopperId)?.set(currency, seen - amount)
      records.set(payoutId, { payout })
      return 'requested'
    },
    async end({ payoutId, shopperId, currency, amount }, outcome, at) {
      pass()
      const record = records.get(payoutId)
      if (record === undefined) throw new Error(`${payoutId} was never requested`)
      if (record.end !== undefined) return record.end.kind === outcome.kind ? 'repeat' : 'contradicted'
      records.set(payoutId, { payout: record.payout, end: { ...outcome, at } })
      if (outcome.kind === 'refused') {
        balances.get(shopperId)?.set(currency, balanceOf(shopperId, currency) + amount)
      }
      return 'ended'
    },
  }
}
