import { describe, expect, it } from 'vitest'
import { orderItem } from '../../../../functions/table/orders/order-item.ts'
import { orderOf, range, step } from '../../../contract/table-rig.ts'
import { aSale, orderIdOf } from '../../../redis/support.ts'
import { ledgerOf } from '../../../world/ledger.ts'
import { cancelled, scripted } from '../scripted-table.ts'

const sale = aSale()
const order = orderOf(sale, 1)
const lost = step(order, 'cancelled', { reason: 'unpaid' })

/** The reasons of a transaction of order, cap, buyer and release, in this order. */
const failed = 'ConditionalCheckFailed'
const isUnlimited = { Code: failed, Item: { sold: { N: '4' }, orders: { N: '2' } } }

describe('changes of written orders', () => {
  it('learns from one refusal that a sale is unlimited, and remembers it (S4)', async () => {
    const table = scripted(cancelled('None', isUnlimited, 'None', 'None'), {})
    const ledger = ledgerOf(table)
    expect(await ledger.change([lost])).toEqual({ kind: 'changed' })
    expect(await ledger.change([lost])).toEqual({ kind: 'changed' })
    const wrote = table.inputs.map((input) => JSON.stringify(input).includes('remaining :quantity'))
    expect(wrote).toEqual([true, false, false])
  })

  it('reports busy while another transaction conflicts, even if a condition failed too', async () => {
    const table = scripted(cancelled(failed, 'TransactionConflict', 'None', 'None'))
    expect(await ledgerOf(table).change([lost])).toEqual({ kind: 'busy' })
  })

  it('throws for a sale without a cap, and when a buyer has less than is given back (I3)', async () => {
    for (const reasons of [
      ['None', failed, 'None', 'None'],
      ['None', 'None', failed, 'None'],
    ]) {
      const ledger = ledgerOf(scripted(cancelled(...reasons)))
      await expect(ledger.change([lost])).rejects.toThrow(`cap or a buyer of ${sale.saleId}`)
    }
  })

  it('retries a conflicting rejection of an order, but only until the deadline', async () => {
    const busy = cancelled('TransactionConflict', 'None')
    const patient = scripted(busy, busy, {})
    expect(await ledgerOf(patient).reject(order)).toBe('rejected')
    expect(patient.inputs).toHaveLength(3)
    const held = scripted(busy)
    await expect(ledgerOf(held).reject(order)).rejects.toBe(busy)
    expect(held.inputs).toHaveLength(8)
  })

  it('sends the same rejection on every try, so that a lost reply does not look like an existing order (I5)', async () => {
    const busy = cancelled('TransactionConflict', 'None')
    const table = scripted(busy, {}, {})
    const ledger = ledgerOf(table)
    await ledger.reject(order)
    await ledger.reject(order)
    const tokens = table.inputs.map((input) => (input as { ClientRequestToken?: string }).ClientRequestToken)
    expect(tokens).toEqual([expect.any(String), tokens[0], expect.any(String)])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  it.each([
    [{ status: 'lent' }, 'status must be a status'],
    [{ history: ['5000 reserved'] }, 'history.0.what must not be empty'],
    [{ history: ['5000 lent written'] }, 'history.0.status must be a status'],
    [{ history: ['soon reserved reserved'] }, 'history.0.at must be'],
    [{ payment: 'by cheque' }, 'payment must be a payment'],
  ])('rejects %j as a fault, not an order', async (changes, detail) => {
    const ledger = ledgerOf(scripted({ Item: { ...orderItem(order), ...changes } }))
    await expect(ledger.find(order.orderId)).rejects.toThrow(detail)
  })

  it('reads a hundred orders at a time', async () => {
    const table = scripted({ Responses: {} })
    await ledgerOf(table).findMany(range(250).map((shopper) => orderIdOf(sale.saleId, shopper, 1)))
    expect(table.inputs).toHaveLength(3)
  })
})
