/** One suite for every store of due refunds. */
import { expect, it } from 'vitest'
import type { Refund } from '../../functions/orders/order-ledger.ts'
import { describeTables, range } from './table-rig.ts'

function aRefund(name: string, changes: Partial<Refund> = {}): Refund {
  return { paymentId: name, orderId: 'unknown', amount: 250, currency: 'EUR', requestedAt: 8_000, ...changes }
}

describeTables('refunds', (the) => {
  const dueOf = async (prefix: string) => {
    const due = await the().refunds.due()
    return due.filter(({ paymentId }) => paymentId.startsWith(prefix))
  }

  it('are due once they are added, oldest first (O9)', async () => {
    const { refunds } = the()
    const late = aRefund('order#late', { requestedAt: 1_790_000_000_000 })
    const early = aRefund('order#early', { requestedAt: 999 })
    const middle = aRefund('order#middle', { requestedAt: 1_000_000 })
    for (const refund of [late, early, middle]) await refunds.add(refund)
    expect(await dueOf('order#')).toEqual([early, middle, late])
  })

  it('are added once: the first request counts, and a repeat returns it (I5)', async () => {
    const { refunds } = the()
    expect(await refunds.add(aRefund('twice'))).toEqual(aRefund('twice'))
    expect(await refunds.add(aRefund('twice', { amount: 999, requestedAt: 1 }))).toEqual(aRefund('twice'))
    expect(await dueOf('twice')).toEqual([aRefund('twice')])
  })

  it('stay done, however often they are added or done again (I5)', async () => {
    const { refunds, ledger } = the()
    await refunds.add(aRefund('done'))
    await ledger.change([], undefined, { paymentId: 'done', seen: 250, left: 0 })
    expect(await refunds.add(aRefund('done')), 'as it was added').toEqual(aRefund('done'))
    expect(await dueOf('done')).toEqual([])
    expect(await refunds.find('done')).toBeUndefined()
  })

  it('do not become due by a reported refund', async () => {
    const { refunds, ledger } = the()
    const unheard = { paymentId: 'unheard', seen: 250, left: 10 }
    expect(await ledger.change([], undefined, unheard)).toMatchObject({ kind: 'stale' })
    expect(await dueOf('unheard')).toEqual([])
    expect(await refunds.find('unheard')).toBeUndefined()
    await refunds.add(aRefund('unheard'))
    expect(await refunds.find('unheard')).toEqual(aRefund('unheard'))
  })

  it('are all listed, also when many are due', async () => {
    const { refunds } = the()
    const many = range(130).map((n) => aRefund(`many-${n}`, { requestedAt: 10_000 + n }))
    await Promise.all(many.map(refunds.add))
    expect(await dueOf('many-')).toEqual(many)
  })
})
