/**
 * How many of the payments of each sale failed lately, as far as one process has heard of them. Each process sees a
 * share of the messages, so the percentage of any of them says how payments go; which of them reports last makes no
 * difference.
 */
import { troubleName } from '../../core/api/health.ts'
import type { SaleId } from '../../core/ids.ts'

/** A payment of the last so many ms counts as recent. */
const recentMs = 600_000

/** Fewer payments say too little, and a few shoppers always give up: this percentage is a trouble. */
const minPayments = 10
const minFailingPercent = 50

/** The payments of a sale in the minute that began at `minute`, in minutes since 1970. */
type Minute = { minute: number; failed: number; all: number }

export type PaymentOutcomes = {
  note(saleId: SaleId, hasFailed: boolean): void
  /** The sales whose payments fail now, as names of a sign. */
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
