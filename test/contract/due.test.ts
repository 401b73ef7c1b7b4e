/** One suite for every store of what is due: refunds and authorisations for the provider, units for Redis. */

import { expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import {
  addAuthorisation,
  addRefund,
  dueAuthorisations,
  dueRefunds,
  endAuthorisation,
  findRefund,
  type Refund,
} from '../../functions/table/orders/due-money.ts'
import { deleteReleases, dueReleases } from '../../functions/table/orders/releases.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { describeTables, finalOf, openTableSale, orderOf, range, step, write } from './table-rig.ts'

const orderId: OrderId = orderIdOf(saleIdOf('due'), 1, 1)

function money(paymentId: string, changes: Partial<Refund> = {}) {
  return { paymentId, amount: 250, currency: 'EUR', requestedAt: 8_000, ...changes, orderId }
}

const stores = {
  refunds: { due: dueRefunds, add: addRefund },
  authorisations: { due: dueAuthorisations, add: addAuthorisation },
}

describeTables('what is due', (the) => {
  async function dueOf(kind: 'refunds' | 'authorisations', prefix: string) {
    const due = await stores[kind].due(the().table)
    return due.filter(({ paymentId }) => paymentId.startsWith(prefix))
  }

  it.each(['refunds', 'authorisations'] as const)('%s are due once they are added, oldest first (O9)', async (kind) => {
    const late = money('order#late', { requestedAt: 1_790_000_000_000 })
    const early = money('order#early', { requestedAt: 999, reference: 'pi_1' })
    const middle = money('order#middle', { requestedAt: 1_000_000 })
    for (const one of [late, early, middle]) await stores[kind].add(the().table, one)
    expect(await dueOf(kind, 'order#')).toEqual([early, middle, late])
  })

  it('authorisations are added once, and settled for good (I5)', async () => {
    const { table } = the()
    await addAuthorisation(table, money('once'))
    await addAuthorisation(table, money('once', { amount: 999 }))
    expect(await dueOf('authorisations', 'once')).toEqual([money('once')])
    for (const _ of [1, 2]) await endAuthorisation(table, 'once')
    await addAuthorisation(table, money('once'))
    expect(await dueOf('authorisations', 'once')).toEqual([])
  })

  it('refunds are added once: the first request counts, a repeat returns it, and they stay done (I5)', async () => {
    const { table, ledger } = the()
    expect(await addRefund(table, money('once'))).toEqual(money('once'))
    const again = money('once', { amount: 999, requestedAt: 1 })
    expect(await addRefund(table, again)).toEqual(money('once'))
    expect(await dueOf('refunds', 'once')).toEqual([money('once')])
    await ledger.change([], undefined, { paymentId: 'once', seen: 250, left: 0 })
    expect(await addRefund(table, again), 'as it was added').toEqual(money('once'))
    expect(await dueOf('refunds', 'once')).toEqual([])
    expect(await findRefund(table, 'once')).toBeUndefined()
  })

  it('refunds that the bank returned are no longer due, and do not become so again (O9)', async () => {
    const { table, ledger } = the()
    await addRefund(table, money('stopped'))
    const stopped = { paymentId: 'stopped', seen: 250, left: 250, isStopped: true }
    expect(await ledger.change([], undefined, stopped)).toEqual({ kind: 'changed' })
    expect(await addRefund(table, money('stopped', { requestedAt: 1 }))).toEqual(money('stopped'))
    expect(await dueOf('refunds', 'stopped')).toEqual([])
    expect(await findRefund(table, 'stopped')).toBeUndefined()
  })

  it('refunds do not become due by a reported refund', async () => {
    const { table, ledger } = the()
    const unheard = { paymentId: 'unheard', seen: 250, left: 10 }
    expect(await ledger.change([], undefined, unheard)).toMatchObject({ kind: 'stale' })
    expect(await dueOf('refunds', 'unheard')).toEqual([])
    expect(await findRefund(table, 'unheard')).toBeUndefined()
    await addRefund(table, money('unheard'))
    expect(await findRefund(table, 'unheard')).toEqual(money('unheard'))
  })

  it('refunds are all listed, also when many are due', async () => {
    const many = range(130).map((n) => money(`many-${n}`, { requestedAt: 10_000 + n }))
    await Promise.all(many.map((one) => addRefund(the().table, one)))
    expect(await dueOf('refunds', 'many-')).toEqual(many)
  })

  it('releases are kept for each sale separately, and for every order until it is done (O9)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 150 })
    const other = await openTableSale(rig)
    const orders = range(120).map((shopper) => orderOf(sale, shopper))
    for (let start = 0; start < 120; start += 40) await write(rig, sale, orders.slice(start, start + 40))
    for (let start = 0; start < 120; start += 20) {
      const steps = orders.slice(start, start + 20).map((order) => step(order, 'cancelled'))
      await rig.ledger.change(steps)
    }
    await rig.ledger.reject(orderOf(other, 1, 1, { status: 'rejected', reason: 'undeliverable' }))
    const ids = orders.map(({ orderId }) => orderId)
    expect(new Set(await dueReleases(rig.table, sale.saleId))).toEqual(new Set(orders.map(finalOf)))
    await deleteReleases(rig.table, sale.saleId, ids.slice(0, 119))
    expect(await dueReleases(rig.table, sale.saleId)).toEqual(orders.slice(119).map(finalOf))
    expect(await dueReleases(rig.table, other.saleId)).toHaveLength(1)
  })
})
