/** Moves the answers that the gate and the functions have noted to the table, once in a run of `reconcile` with a running sale. */
import { dropNotedAnswers, readNotedAnswers } from '../../../redis/gate/answers.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { putAnswers } from '../../table/people/answers.ts'

/**
 * A run that stops between the two steps leaves the answers to the next one, which writes the same items. An answer
 * that replaces another between them is lost: a slot comes round after 1,000 answers.
 * @throws when the gate's store or the table is unavailable
 */
export async function keepAnswers({ gate, table }: Pick<Shop, 'gate' | 'table'>): Promise<void> {
  const { answers, slots } = await readNotedAnswers(gate)
  await putAnswers(table, answers)
  await dropNotedAnswers(gate, slots)
}
