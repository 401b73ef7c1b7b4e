/** What a shopper has withdrawn from, with one button for its money and one for its units. */
import type { FoundOrder, Refunded } from '../../../../core/api/control-answers.ts'
import { holdsUnits, isContested, isPaid, isShipped } from '../../../../core/orders/order.ts'
import { refundable } from '../../../../core/orders/order-refunds.ts'
import { covers, withdrawnAmount } from '../../../../core/orders/withdrawal.ts'
import { orderTableMessages } from '../../../messages/catalogues.ts'
import { refundWithdrawn, returnUnits } from '../api.ts'
import { WorkButton } from '../lib/work-button.tsx'
import { useViewWith } from '../view-place.ts'
import { isOverLimit, overLimitText, useRefundLimits } from './refund-limit.ts'
import { VariantNames } from './variant-names.tsx'

type Units = { quantity: number; basket?: Readonly<Record<string, number>> | undefined }

/** Draws nothing for an order that was not withdrawn from. `changed` is called once the order has changed. */
export function WithdrawalOf({ order, changed }: { order: FoundOrder; changed(): void }) {
  const context = useViewWith(orderTableMessages)
  const { voice, may, announce, explain } = context
  const { orderId, saleId, withdrawal, payment, currency } = order
  const limits = useRefundLimits(context, withdrawal === undefined ? [] : [order])
  if (withdrawal === undefined) return null
  const { returned } = withdrawal
  const variantsOf = ({ basket }: Units) =>
    basket && (
      <>
        {' · '}
        <VariantNames saleId={saleId} basket={basket} />
      </>
    )
  const left = payment === null || !isPaid(order) ? 0 : refundable(order, payment.paymentId)
  const money = Math.min(left, withdrawnAmount(order))
  const isAway = isShipped(order) && (returned === undefined || !covers(returned, withdrawal))

  async function act(ask: ReturnType<typeof refundWithdrawn>, said: (order: Refunded) => string): Promise<void> {
    const answer = await ask
    if (!answer.ok) return void explain(answer.reply)
    announce(said(answer.value))
    changed()
  }
  return (
    <div class="withdrawal" data-withdrawn={orderId}>
      <p>
        {voice.t('withdrawn.units', {
          ...{ time: voice.farMoment(withdrawal.at), units: withdrawal.quantity, all: order.quantity },
        })}
        {variantsOf(withdrawal)}
      </p>
      {returned !== undefined && (
        <p>
          {voice.t('withdrawn.back', { time: voice.farMoment(returned.at), units: returned.quantity })}
          {variantsOf(returned)}
        </p>
      )}
      {may('refundWithdrawn') &&
        money > 0 &&
        !isContested(order) &&
        (isOverLimit(order, limits) ? (
          <p data-over-limit>{overLimitText(voice, order, limits.get(saleId) ?? 0)}</p>
        ) : (
          <WorkButton
            id={`refund-withdrawn-${orderId}`}
            look="main"
            work={() => act(refundWithdrawn(orderId), () => voice.t('withdrawn.refunding'))}
          >
            {voice.t('withdrawn.refund', { money: voice.money(money, currency) })}
          </WorkButton>
        ))}
      {may('returnUnits') && isAway && (
        <WorkButton
          id={`return-${orderId}`}
          look="plain"
          work={() =>
            act(returnUnits(orderId), ({ status }) =>
              voice.t(holdsUnits(status) ? 'withdrawn.returned' : 'withdrawn.onSale'),
            )
          }
        >
          {voice.t('withdrawn.return')}
        </WorkButton>
      )}
    </div>
  )
}
