/**
 * The repairs a marketer can ask for: says what will happen where that is not harmless, does it,
 * and says what came of it.
 */
import type { OrderId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'
import type { SaleKind } from '../../../core/settings.ts'
import { askFirst, type Choice } from '../confirm.ts'
import { checkSale, type Refused, recoverSale, redriveDeadLetters, refundOrder } from './api.ts'
import { sayFor } from './kind-words.ts'
import { refundedKey } from './refunded-key.ts'
import { failureText, type ViewContext } from './view.ts'

/** The sale that is looked after. */
export type Cared = Pick<Sale, 'saleId' | 'kind'>

/**
 * Compares Redis with the orders and completes interrupted work; it only repairs, so it asks for no
 * confirmation.
 */
export async function check({ voice, announce }: ViewContext, sale: Cared): Promise<void> {
  const say = sayFor(voice, sale.kind)
  announce(voice.t('do.working'))
  const answer = await checkSale(sale.saleId)
  if (!answer.ok) return announce(failureText(voice, answer.reply))
  const { drift } = answer.value
  if (drift === null) return announce(say('care.checkedUnknown'))
  announce(drift === 0 ? say('care.checked') : say('care.checkedDrift', { n: Math.abs(drift) }))
}

/** Rebuilds the sale in Redis from its orders. */
export async function recover({ voice, announce }: ViewContext, sale: Cared): Promise<void> {
  const say = sayFor(voice, sale.kind)
  const paragraphs = [say('ask.recoverText'), say('ask.recoverAfter')]
  const choice: Choice = { value: 'recover', label: voice.t('care.recover'), kind: 'danger' }
  if (!(await askFirst(voice.t('ask.recover'), paragraphs, [choice], voice.t('ask.back')))) return
  announce(say('care.recovering'))
  const answer = await recoverSale(sale.saleId)
  if (!answer.ok) return announce(failureText(voice, answer.reply))
  const { orders, units, movedShards } = answer.value
  const moves = movedShards.map(({ shard, from, to }) => voice.t('care.moved', { n: shard + 1, from, to }))
  announce([say('care.recovered', { orders, units }), ...moves].join(' '))
}

/** Sends the dead letters, about `n` of them, to their queues again. */
export async function sendAgain({ voice, announce }: ViewContext, n: number): Promise<void> {
  const paragraphs = [voice.t('ask.redriveText', { n }), voice.t('ask.redriveAfter')]
  const choice: Choice = { value: 'redrive', label: voice.t('care.sendAgain'), kind: 'main' }
  if (!(await askFirst(voice.t('ask.redrive'), paragraphs, [choice], voice.t('ask.back')))) return
  announce(voice.t('do.working'))
  const answer = await redriveDeadLetters()
  announce(answer.ok ? voice.t('care.sentAgain', answer.value) : failureText(voice, answer.reply))
}

/** Gives an order back; true when that is done. */
export async function refund(
  { voice, announce }: ViewContext,
  kind: SaleKind,
  orderId: OrderId,
): Promise<boolean> {
  const say = sayFor(voice, kind)
  const paragraphs = [say('ask.refundText', { id: orderId }), say('ask.refundAfter')]
  const choice: Choice = { value: 'refund', label: say('refund.do'), kind: 'danger' }
  if (!(await askFirst(say('ask.refund'), paragraphs, [choice], voice.t('ask.back')))) return false
  announce(voice.t('do.working'))
  const answer = await refundOrder(orderId)
  if (answer.ok) announce(say(refundedKey(answer.value.status)))
  else announce(isNotFound(answer.reply) ? voice.t('refund.unknown') : failureText(voice, answer.reply))
  return answer.ok
}

function isNotFound(reply: Refused): boolean {
  return reply.kind === 'refused' && reply.problem?.code === 'not-found'
}
