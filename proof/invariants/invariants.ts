/** Every invariant of a sale, as one pure function of its snapshot. */
import { couponFindings } from './coupons.ts'
import type { Finding } from './findings.ts'
import { lifeFindings, moneyFindings } from './life.ts'
import { creditFindings, packetFindings } from './packets.ts'
import { promiseFindings } from './promises.ts'
import type { SaleSnapshot } from './snapshot.ts'
import { limitFindings, unitFindings } from './units.ts'

/** What is wrong at any moment, also while orders and claims are on their way. */
export function findingsAtAnyTime(snapshot: SaleSnapshot): Finding[] {
  const { packets } = snapshot
  return packets === undefined ? limitFindings(snapshot) : creditFindings(packets)
}

/** What is wrong at rest: nothing is on its way, so every store has the same. */
export function findingsAtRest(snapshot: SaleSnapshot): Finding[] {
  const { sale, orders, payments, packets } = snapshot
  if (packets !== undefined) return [...promiseFindings(snapshot), ...packetFindings(packets)]
  return [
    ...limitFindings(snapshot),
    ...promiseFindings(snapshot),
    ...unitFindings(snapshot),
    ...(sale.kind === 'coupon' ? couponFindings(snapshot) : []),
    ...lifeFindings(orders),
    ...(payments === undefined ? [] : moneyFindings(orders, payments)),
  ]
}
