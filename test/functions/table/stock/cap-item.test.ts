/** What the updates of a cap ask of DynamoDB. */
import { describe, expect, it } from 'vitest'
import { capKey } from '../../../../functions/table/keys.ts'
import {
  addToParts,
  giveBackToCap,
  moneyLeft,
  openCap,
  takeFromCap,
} from '../../../../functions/table/stock/cap-item.ts'
import { aSale } from '../../../redis/support.ts'

const { saleId } = aSale()
const TableName = 'table'
const Key = capKey(saleId)
const taken = { part: 0, quantity: 3, orders: 2, capped: true }

describe('the cap of a sale without variants', () => {
  it('is the item, and has the updates, that it would have if there were no variants (N1)', () => {
    expect(openCap(TableName, saleId, { stock: 10 })).toStrictEqual([
      {
        Put: {
          TableName,
          Item: { ...Key, remaining: 10, sold: 0, orders: 0 },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
    ])
    expect(takeFromCap(TableName, saleId, taken)).toStrictEqual({
      Update: {
        TableName,
        Key,
        UpdateExpression: 'ADD sold :quantity, orders :orders, remaining :less',
        ConditionExpression: 'remaining >= :quantity',
        ExpressionAttributeValues: { ':quantity': 3, ':orders': 2, ':less': -3 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    })
    expect(giveBackToCap(TableName, saleId, { ...taken, variants: {} })).toStrictEqual({
      Update: {
        TableName,
        Key,
        UpdateExpression: 'ADD sold :less, orders :fewer, remaining :quantity, gained :quantity',
        ConditionExpression: 'sold >= :quantity AND orders >= :orders AND attribute_exists(remaining)',
        ExpressionAttributeValues: { ':quantity': 3, ':orders': 2, ':less': -3, ':fewer': -2 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    })
    expect(addToParts(TableName, saleId, new Map([[0, -2]]))).toStrictEqual([
      {
        Update: {
          TableName,
          Key,
          UpdateExpression: 'ADD remaining :delta, sold :none, orders :none, gained :delta',
          ConditionExpression: 'remaining >= :less',
          ExpressionAttributeValues: { ':delta': -2, ':none': 0, ':less': 2 },
        },
      },
    ])
  })
})

describe('the cap of a sale with variants', () => {
  it('is one item with two counters for each variant, however large the stock (N1)', () => {
    const made = openCap(TableName, saleId, { stock: 900, variants: { m: 900, s: 0 } })
    const counters = { 'left.m': 900, 'sold.m': 0, 'left.s': 0, 'sold.s': 0 }
    expect(made.map(({ Put }) => Put?.Item)).toEqual([{ ...Key, remaining: 900, sold: 0, orders: 0, ...counters }])
  })

  it('changes all its counters in one update, each with a condition of its own (I1, N1)', () => {
    expect(takeFromCap(TableName, saleId, { ...taken, beside: { 'left.m': 2, 'left.s': 1 } }).Update).toMatchObject({
      UpdateExpression: 'ADD sold :quantity, orders :orders, remaining :less, #v0 :v0, #v1 :v1, #v2 :v2, #v3 :v3',
      ConditionExpression:
        'remaining >= :quantity AND #v0 >= :w0 AND attribute_exists(#v1) AND #v2 >= :w2 AND attribute_exists(#v3)',
      ExpressionAttributeNames: { '#v0': 'left.m', '#v1': 'sold.m', '#v2': 'left.s', '#v3': 'sold.s' },
      ExpressionAttributeValues: { ':v0': -2, ':w0': 2, ':v1': 2, ':v2': -1, ':w2': 1, ':v3': 1 },
    })
  })
})

describe('the cap of a sale of red packets', () => {
  it('takes units and money in one update, of a budget that is open and large enough (P1, I1)', () => {
    const units = { ...taken, beside: { [moneyLeft]: 70 }, budget: 100 }
    expect(takeFromCap(TableName, saleId, units).Update).toMatchObject({
      UpdateExpression: 'ADD sold :quantity, orders :orders, remaining :less, claimed :money',
      ConditionExpression:
        'remaining >= :quantity AND budget = :budget AND claimed <= :room AND attribute_not_exists(closedAt)',
      ExpressionAttributeValues: { ':money': 70, ':budget': 100, ':room': 30 },
    })
  })
})
