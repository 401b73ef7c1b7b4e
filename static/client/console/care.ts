/** The repairs a marketer can ask for: says what will happen where that is not harmless, does it, and says what came of it. */
import type { OrderId } from '../../../core/ids.ts'
import { askFirst, type Choice } from '../confirm.ts'
import { checkSale, type Refused, recoverSale, redriveDeadLetters, refundOrder } from './api.ts'
import { refundedKey } from './read-care.ts'
import { type Desk, failureText } from './view.ts'

/** Compares Redis with the orders and finishes whatever was cut off; only what is true is looked at, so it asks nothing. */
export async function check({ voice, tell }: Desk, saleId: string): Promise<void> {
  tell(voice.t('do.working'))
  const answer = await checkSale(saleId)
  if (!answer.ok) return tell(failureText(voice, answer.reply))
  const { drift } = answer.value
  if (drift === null) return tell(voice.t('care.checkedUnknown'))
  tell(drift === 0 ? voice.t('care.checked') : voice.t('care.checkedDrift', { n: Math.abs(drift) }))
}

/** Rebuilds the sale in Redis from its orders. */
export async function recover({ voice, tell }: Desk, saleId: string): Promise<void> {
  const paragraphs = [voice.t('ask.recoverText'), voice.t('ask.recoverAfter')]
  const choice: Choice = { value: 'recover', label: voice.t('care.recover'), kind: 'danger' }
  if (!(await askFirst(voice.t('ask.recover'), paragraphs, [choice], voice.t('ask.back')))) return
  tell(voice.t('care.recovering'))
  const answer = await recoverSale(saleId)
  tell(answer.ok ? voice.t('care.recovered', answer.value) : failureText(voice, answer.reply))
}

/** Gives the messages that nobody could handle to their queues once more. */
export async function sendAgain({ voice, tell }: Desk): Promise<void> {
  tell(voice.t('do.working'))
  const answer = await redriveDeadLetters()
  tell(answer.ok ? voice.t('care.sentAgain', answer.value) : failureText(voice, answer.reply))
}

/** Gives an order back; true when that is done. */
export async function refund({ voice, tell }: Desk, orderId: OrderId): Promise<boolean> {
  const paragraphs = [voice.t('ask.refundText', { id: orderId }), voice.t('ask.refundAfter')]
  const choice: Choice = { value: 'refund', label: voice.t('refund.do'), kind: 'danger' }
  if (!(await askFirst(voice.t('ask.refund'), paragraphs, [choice], voice.t('ask.back')))) return false
  tell(voice.t('do.working'))
  const answer = await refundOrder(orderId)
  if (answer.ok) tell(voice.t(refundedKey(answer.value.status)))
  else tell(isNotFound(answer.reply) ? voice.t('refund.unknown') : failureText(voice, answer.reply))
  return answer.ok
}

function isNotFound(reply: Refused): boolean {
  return reply.kind === 'refused' && reply.problem?.code === 'not-found'
}
