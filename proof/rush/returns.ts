/**
 * The last peak of a sale's traffic (L4): once the sale is judged, its winners cancel their orders at once, and each unit
 * must be for sale again.
 */
import { controlClient } from '../../cli/control-client.ts'
import type { System } from '../bench/system.ts'
import { sumOf } from '../invariants/findings.ts'
import { standingOrders } from '../invariants/units.ts'
import { openHttpClient } from './http.ts'
import type { RushOptions } from './options.ts'
import { type Peak, playPeak } from './peaks.ts'
import type { Sessions } from './run-round.ts'
import type { AnsweredReservation } from './verdict.ts'
import { waitForOrders } from './wait-for-rest.ts'

/** The peak, and what is wrong once all is at rest again. */
export async function playReturns(
  system: System,
  { saleId, winners, sessions }: { saleId: string; winners: readonly AnsweredReservation[]; sessions: Sessions },
  options: RushOptions,
): Promise<{ peak: Peak; violations: string[] }> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const client = openHttpClient(system.url, options.concurrency)
  try {
    const cancels = winners.flatMap(({ orderId, shopperId }) => {
      const session = sessions.get(shopperId)
      return session === undefined ? [] : [client.post(`/api/orders/${orderId}/cancel`, session, {})]
    })
    const peak = await playPeak('cancelled orders', cancels)
    const cancelled = (await Promise.all(cancels)).filter(({ reply }) => reply?.status === 200).length
    await waitForOrders(system, control, saleId, options)
    const standing = standingOrders(await system.orders(saleId))
    const { booked } = await system.stockSnapshot(saleId)
    const units = sumOf(standing)
    const ended = winners.length - standing.length
    return {
      peak,
      violations: [
        ...(ended < cancelled ? [`I2: ${cancelled} orders were cancelled, and ${ended} have ended`] : []),
        ...(options.stock !== -1 && booked !== units
          ? [`I4: ${booked} units are booked after the cancellations, and orders hold ${units}`]
          : []),
      ],
    }
  } finally {
    await client.close()
  }
}
