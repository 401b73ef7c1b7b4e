/** Every invariant of a sale, as one pure function of its snapshot. */
import { answerFindings } from './answers.ts'
import type { Finding } from './findings.ts'
import { couponFindings, lifeFindings, moneyFindings } from './orders.ts'
import { creditFindings, packetFindings } from './packets.ts'
import type { SaleSnapshot } from './snapshot.ts'
import { limitFindings, unitFindings } from './units.ts'

/** The findings that count at any moment, also while orders and claims are on their way. */
export function findingsAtAnyTime(snapshot: SaleSnapshot): Finding[] {
  const { packets } = snapshot
  return packets === undefined ? limitFindings(snapshot) : creditFindings(packets)
}

/** The findings at rest, when nothing is on its way and every store must have the same. */
export function findingsAtRest(snapshot: SaleSnapshot): Finding[] {
  const { sale, orders, payments, packets } = snapshot
  if (packets !== undefined) return [...answerFindings(snapshot), ...packetFindings(packets)]
  return [
    ...limitFindings(snapshot),
    ...answerFindings(snapshot),
    ...unitFindings(snapshot),
    ...(sale.kind === 'coupon' ? couponFindings(snapshot) : []),
    ...lifeFindings(orders),
    ...(payments === undefined ? [] : moneyFindings(orders, payments)),
  ]
}
