/** The most that the signed-in person may give back of an order: said before anything is asked. The server decides. */
import { useEffect, useState } from 'preact/hooks'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { control } from '../api.ts'
import { type ConsoleVoice, useView, type ViewContext } from '../view.ts'

/** A marketer may change the limit meanwhile, and a table has many orders of one sale. */
const keptMs = 10_000
const kept = new Map<SaleId, { until: number; limit: Promise<number> }>()

type Limited = Pick<FoundOrder, 'saleId' | 'amount' | 'currency'>

/** In minor units of the sale's currency; without a limit for a marketer, and where the sale cannot be read. */
export function refundLimit({ may }: Pick<ViewContext, 'may'>, saleId: SaleId): Promise<number> {
  if (may('createSale')) return Promise.resolve(Number.POSITIVE_INFINITY)
  const known = kept.get(saleId)
  if (known !== undefined && Date.now() < known.until) return known.limit
  const limit = control
    .getSale({ saleId })
    .then((answer) => (answer.ok ? (answer.value.supportRefundLimit ?? 0) : Number.POSITIVE_INFINITY))
  kept.set(saleId, { until: Date.now() + keptMs, limit })
  return limit
}

/** The limits of the sales of some orders, by the ids of the sales; one is missing until it is known. */
export function useRefundLimits(orders: readonly Limited[]): ReadonlyMap<SaleId, number> {
  const context = useView()
  const [limits, setLimits] = useState<ReadonlyMap<SaleId, number>>(new Map())
  const saleIds = [...new Set(orders.map(({ saleId }) => saleId))]
  useEffect(() => {
    let isLeft = false
    const reads = saleIds.map(async (saleId) => [saleId, await refundLimit(context, saleId)] as const)
    void Promise.all(reads).then((read) => isLeft || setLimits(new Map(read)))
    return () => {
      isLeft = true
    }
  }, [saleIds.join()])
  return limits
}

/** True when the order costs more than the limit of its sale. */
export const isOverLimit = ({ saleId, amount }: Limited, limits: ReadonlyMap<SaleId, number>): boolean =>
  amount > (limits.get(saleId) ?? Number.POSITIVE_INFINITY)

/** Who may give the order back instead: the sentence of the server's refusal. */
export function overLimitText(
  voice: Pick<ConsoleVoice, 't' | 'money'>,
  { amount, currency }: Limited,
  limit: number,
): string {
  const money = (sum: number) => voice.money(sum, currency)
  return voice.t('refusal.over-refund-limit', { limit: money(limit), amount: money(amount) })
}
