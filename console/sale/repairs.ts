/** Runs the repairs of a sale. Asks for confirmation where needed, and announces the result. */
import type { FoundOrder, Live } from '../../core/api/control-answers.ts'
import { orderName } from '../../core/orders/order-number.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Choice } from '../../web/confirm.ts'
import { saleCard } from '../../web/sale-card.ts'
import { control } from '../api.ts'
import { overLimitText, refundLimit } from '../orders/refund-limit.ts'
import { announcedCall, askBefore, callAfter } from '../parts/ask-before.ts'
import { joinSentences, sayFor } from '../parts/kind-words.ts'
import { failureText, type ViewContext } from '../view.ts'
import { nothingToRefund, refundEffects, refundedKey, refundKeys } from './effects.ts'

/** The sale to repair. */
export type RepairedSale = Pick<Sale, 'saleId' | 'kind'>

/** Compares Redis with the orders and completes interrupted work; it only repairs, so it asks for no confirmation. */
export async function check({ voice, announce }: ViewContext, sale: RepairedSale): Promise<void> {
  const say = sayFor(voice, sale.kind)
  const findings = await announcedCall({ voice, announce }, control.reconcile({ saleId: sale.saleId }))
  if (findings === undefined) return
  const { drift } = findings
  if (drift === null) return announce(say('care.checkedUnknown'))
  announce(drift === 0 ? say('care.checked') : say('care.checkedDrift', { n: Math.abs(drift) }))
}

/** Rebuilds the sale in Redis from its orders. */
export async function confirmRecover(
  { voice, announce }: ViewContext,
  sale: RepairedSale,
  { sold: units, orders: written }: Live['orders'],
): Promise<void> {
  const say = sayFor(voice, sale.kind)
  const effects = [
    say('ask.recoverText'),
    voice.t('effect.rebuild', { orders: written, units }),
    say('ask.recoverAfter'),
  ]
  const choice: Choice = { value: 'recover', label: voice.t('care.recover'), kind: 'danger' }
  if (!(await askBefore(voice, { title: voice.t('ask.recover'), effects, choice }))) return
  announce(say('care.recovering'))
  const answer = await control.recover({ saleId: sale.saleId })
  if (!answer.ok) return announce(failureText(voice, answer.reply))
  const { orders, units: restored, movedShards } = answer.value
  const moves = movedShards.map(({ shard, from, to }) => voice.t('care.moved', { n: shard + 1, from, to }))
  announce(joinSentences(voice, [say('care.recovered', { orders, units: restored }), ...moves]))
}

/** Sends the dead letters, about `n` of them, to their queues again. */
export async function sendAgain({ voice, announce }: ViewContext, n: number): Promise<void> {
  const effects = [voice.t('ask.redriveText', { n }), voice.t('ask.redriveAfter')]
  const choice: Choice = { value: 'redrive', label: voice.t('care.sendAgain'), kind: 'main' }
  const sent = await callAfter({ voice, announce }, { title: voice.t('ask.redrive'), effects, choice }, control.redrive)
  if (sent !== undefined) announce(voice.t('care.sentAgain', sent))
}

/** Looks up an order by number or id, asks, and refunds or cancels it. Returns true when it is done. */
export async function refund(context: ViewContext, find: string): Promise<boolean> {
  const { voice, announce } = context
  announce('')
  const found = await control.findOrders({ body: { find } })
  const [order] = found.ok ? found.value.orders : []
  if (!found.ok) announce(failureText(voice, found.reply))
  else if (order === undefined) announce(voice.t('refund.unknown'))
  if (order === undefined) return false
  const nothing = nothingToRefund(voice, order)
  if (nothing !== undefined) {
    announce(nothing)
    return false
  }
  const limit = await refundLimit(context, order.saleId)
  if (order.amount > limit) {
    announce(overLimitText(voice, order, limit))
    return false
  }
  const card = await saleCard(order.saleId)
  const kind = card.isCoupon ? 'coupon' : 'goods'
  const say = sayFor(voice, kind)
  const effects = refundEffects(voice, kind, order, {
    title: card.titleIn(voice.language()),
    variants: card.variantsIn(voice.language()),
  })
  const { ask, act } = refundKeys(order)
  const choice: Choice = { value: 'refund', label: say(act), kind: 'danger' }
  const { orderId } = order
  const done = await callAfter({ voice, announce }, { title: say(ask), effects, choice }, () =>
    control.refund({ orderId }),
  )
  if (done !== undefined) announce(say(refundedKey(done)))
  return done !== undefined
}

/** Marks a refund that the bank returned as paid by other means. Returns true when it is done. */
export async function settleByHand({ voice, announce }: ViewContext, order: FoundOrder): Promise<boolean> {
  const effects = [voice.t('ask.refundText', { id: orderName(order) }), voice.t('settle.text'), voice.t('effect.final')]
  const choice: Choice = { value: 'settle', label: voice.t('settle.do'), kind: 'main' }
  const asked = { title: voice.t('settle.ask'), effects, choice }
  const done = await callAfter({ voice, announce }, asked, () => control.settleRefund({ orderId: order.orderId }))
  if (done !== undefined) announce(voice.t('settle.done'))
  return done !== undefined
}
