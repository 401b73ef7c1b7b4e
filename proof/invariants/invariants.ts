/** All invariants of a sale as pure functions of its snapshot. */
import { answerFindings } from './answers.ts'
import type { InvariantFinding } from './findings.ts'
import { couponFindings, lifecycleFindings, moneyFindings } from './orders.ts'
import { creditFindings, packetFindings } from './packets.ts'
import type { ObservedSale } from './snapshot.ts'
import { limitFindings, unitFindings } from './units.ts'

/** Returns the violations that count at any moment, also while orders and claims are in progress. */
export function findingsAtAnyTime(snapshot: ObservedSale): InvariantFinding[] {
  const { packets } = snapshot
  return packets === undefined ? limitFindings(snapshot) : creditFindings(packets)
}

/** Returns the violations at rest, when nothing is in progress and all stores must agree. */
export function findingsAtRest(snapshot: ObservedSale): InvariantFinding[] {
  const { sale, orders, payments, packets } = snapshot
  if (packets !== undefined) return [...answerFindings(snapshot), ...packetFindings(packets)]
  return [
    ...limitFindings(snapshot),
    ...answerFindings(snapshot),
    ...unitFindings(snapshot),
    ...(sale.kind === 'coupon' ? couponFindings(snapshot) : []),
    ...lifecycleFindings(orders),
    ...(payments === undefined ? [] : moneyFindings(orders, payments)),
  ]
}
