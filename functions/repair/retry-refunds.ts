/**
 * Asks again for money that should have gone back by now (O8): the request was lost, or its answer.
 */

import { slicesOf } from '../lib/slices.ts'
import { askRefund } from '../orders/refund.ts'
import type { RepairPorts } from './ports.ts'

/** A provider needs a moment; a refund younger than this is most likely on its way. */
export const refundAgeMs = 60_000

/** Requests on their way at once. */
const atOnce = 10

/**
 * Asks for every refund that has been due for `ageMs`, the oldest first, as far as the time to
 * `deadline` (epoch ms) reaches. Resolves with how many the provider took.
 * @throws when the table is unavailable
 */
export async function askForRefundsAgain(
  ports: RepairPorts,
  ageMs: number,
  deadline: number,
): Promise<number> {
  const { refunds, clock } = ports
  const due = (await refunds.due()).filter(({ requestedAt }) => clock() - requestedAt >= ageMs)
  let asked = 0
  for (const some of slicesOf(due, atOnce)) {
    if (clock() >= deadline) break
    const answers = await Promise.all(some.map((refund) => askRefund(ports, refund)))
    asked += answers.filter((isTaken) => isTaken).length
  }
  return asked
}
