/**
 * Counts which share of each sale's payments failed lately, in one process. Each process sees a random share of the
 * messages, so its percentage is representative, and it does not matter which process reports last.
 */
import { troubleName } from '../../core/api/health.ts'
import type { SaleId } from '../../core/ids.ts'

/** Payments of this time count as recent, ms. */
const recentMs = 600_000

/** Fewer payments prove too little, and some shoppers always give up, so only this share of failures is reported. */
const minPayments = 10
const minFailingPercent = 50

/** The payments of a sale in one minute, which `minute` counts since 1970. */
type Minute = { minute: number; failed: number; all: number }

export type PaymentOutcomes = {
  note(saleId: SaleId, hasFailed: boolean): void
  /** Returns the sales whose payments fail now, as names of troubles. */
  failing(): string[]
}

export function paymentOutcomes(clock: () => number): PaymentOutcomes {
  const bySale = new Map<SaleId, Minute[]>()
  const first = () => Math.floor((clock() - recentMs) / 60_000)
  return {
    note(saleId, hasFailed) {
      const minute = Math.floor(clock() / 60_000)
      const known = (bySale.get(saleId) ?? []).filter((one) => one.minute > first())
      const latest = known.at(-1)
      const one = latest?.minute === minute ? latest : { minute, failed: 0, all: 0 }
      if (one !== latest) known.push(one)
      one.all += 1
      if (hasFailed) one.failed += 1
      bySale.set(saleId, known)
    },
    failing() {
      return [...bySale].flatMap(([saleId, minutes]) => {
        const recent = minutes.filter((one) => one.minute > first())
        if (recent.length === 0) bySale.delete(saleId)
        const [failed, all] = [sumOf(recent, 'failed'), sumOf(recent, 'all')]
        const count = Math.round((100 * failed) / Math.max(1, all))
        return all >= minPayments && count >= minFailingPercent
          ? [troubleName({ saleId, trouble: 'unpaid', count })]
          : []
      })
    },
  }
}

const sumOf = (minutes: readonly Minute[], name: 'failed' | 'all') => minutes.reduce((sum, one) => sum + one[name], 0)
