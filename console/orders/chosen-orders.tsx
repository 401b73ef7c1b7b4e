/** Runs an action on the chosen orders, one call for each, so that a refusal does not stop the others. */
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { OrderId } from '../../core/ids.ts'
import { formatSums } from '../../core/money.ts'
import { moneyState, shownStatus } from '../../core/orders/order-standing.ts'
import { control } from '../api.ts'
import { askBefore } from '../parts/ask-before.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { failureText, useView } from '../view.ts'
import { isOverLimit, useRefundLimits } from './refund-limit.ts'
import { ShipForm } from './ship-form.tsx'

/** `done` is called with those that were changed. */
type Props = { orders: readonly FoundOrder[]; done(orderIds: readonly OrderId[]): void }

export function ChosenOrders({ orders, done }: Props) {
  const { voice, may, announce, isLeft } = useView()
  const n = orders.length
  const limits = useRefundLimits(orders)
  const refunded = orders.filter((order) => !isOverLimit(order, limits))
  const overLimit = n - refunded.length

  async function refundAll(): Promise<void> {
    const n = refunded.length
    const effects = [voice.t('table.sum', { money: paidText() }), voice.t('table.unpaid'), voice.t('effect.final')]
    const choice = { value: 'refund', label: voice.t('table.refund', { n }), kind: 'danger' } as const
    if (!(await askBefore(voice, { title: voice.t('table.askRefund', { n }), effects, choice }))) return
    const changed: OrderId[] = []
    let why = ''
    for (const { orderId } of refunded) {
      announce(voice.t('table.refunding', { done: changed.length, total: n }))
      const answer = await control.refund({ orderId })
      if (isLeft()) return
      if (answer.ok) changed.push(orderId)
      else why = failureText(voice, answer.reply)
    }
    done(changed)
    announce(
      changed.length === n
        ? voice.t('table.refunded', { n })
        : voice.t('table.notRefunded', { n: n - changed.length, total: n, why }),
    )
  }

  /** Orders that are refunded or disputed cannot be refunded. */
  const isStillPaid = (order: FoundOrder) =>
    moneyState({ ...order, shown: shownStatus(order), dispute: order.dispute?.state }) === 'paid'

  function paidText(): string {
    const sums: Record<string, number> = {}
    for (const { currency, amount } of refunded.filter(isStillPaid)) sums[currency] = (sums[currency] ?? 0) + amount
    return formatSums(sums, voice.locale()) || '0'
  }

  if (n === 0) return null
  return (
    <div class="row chosen" id="chosen-orders">
      <p role="status">{voice.t('table.chosen', { n })}</p>
      {may('refund') && overLimit > 0 && <p data-over-limit>{voice.t('table.overLimit', { n: overLimit })}</p>}
      {may('refund') && refunded.length > 0 && (
        <WorkButton id="refund-chosen" look="danger" work={refundAll}>
          {voice.t('table.refund', { n: refunded.length })}
        </WorkButton>
      )}
      {may('ship') && <ShipForm key={n === 1 ? orders[0]?.orderId : ''} {...{ orders, done }} />}
    </div>
  )
}
