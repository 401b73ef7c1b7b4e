/**
 * One DynamoDB transaction per chunk: every order, its buyer's total, and one cap update per sale. The
 * conditions are the last word on I1 and I3; when one fails, the reasons come back in the order of the items.
 */
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderBook, Refusal } from '../write-orders/commit.ts'
import type { Entry } from '../write-orders/entry.ts'
import {
  type CancellationReason,
  cancellationReasons,
  conditionFailed,
  isBusy,
  isDark,
  type Table,
} from './dynamodb.ts'
import { orderItem } from './order-item.ts'
import { buyerKey, capKey } from './table.ts'

type Item = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Who asked for an item of the transaction, to read its cancellation reason by. */
type Line = { item: Item } & ({ kind: 'cap'; saleId: SaleId } | { kind: 'order' | 'buyer'; orderId: OrderId })

/**
 * The longest a transaction may take, with what the SDK repeats of it. Its repetitions alone would wait for a table
 * that does not answer three times 2 s, and the invocation would end before it could report.
 */
const longestWriteMs = 2500

export function dynamoOrderBook(table: Table): OrderBook {
  return {
    async write(chunk) {
      const lines = [
        ...capLines(table.name, chunk),
        ...chunk.flatMap((entry) => orderLines(table.name, entry)),
      ]
      try {
        const TransactItems = lines.map(({ item }) => item)
        const abortSignal = AbortSignal.timeout(longestWriteMs)
        await table.client.send(new TransactWriteCommand({ TransactItems }), { abortSignal })
        return { kind: 'written' }
      } catch (error) {
        if (isBusy(error)) return { kind: 'busy' }
        if (isDark(error)) return { kind: 'dark', cause: error }
        const reasons = cancellationReasons(error)
        if (reasons?.some(conditionFailed) !== true) throw error
        return refusalOf(lines, reasons)
      }
    },
  }
}

/** `remaining` falls with every order written and never below zero; an unlimited sale only counts. */
function capLines(TableName: string, chunk: readonly Entry[]): Line[] {
  const wanted = new Map<SaleId, { quantity: number; capped: boolean }>()
  for (const { order, capped } of chunk) {
    if (order.status === 'rejected') continue
    const before = wanted.get(order.saleId)?.quantity ?? 0
    wanted.set(order.saleId, { quantity: before + order.quantity, capped })
  }
  return [...wanted].map(([saleId, { quantity, capped }]) => ({
    kind: 'cap',
    saleId,
    item: {
      Update: {
        TableName,
        Key: capKey(saleId),
        UpdateExpression: capped ? 'ADD sold :quantity, remaining :less' : 'ADD sold :quantity',
        ConditionExpression: capped
          ? 'remaining >= :quantity'
          : 'attribute_exists(pk) AND attribute_not_exists(remaining)',
        ExpressionAttributeValues: { ':quantity': quantity, ...(capped ? { ':less': -quantity } : {}) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
  }))
}

function orderLines(TableName: string, { order, limit }: Entry): Line[] {
  const { orderId, saleId, shopperId, quantity } = order
  const line: Line = {
    kind: 'order',
    orderId,
    item: { Put: { TableName, Item: orderItem(order), ConditionExpression: 'attribute_not_exists(pk)' } },
  }
  if (order.status === 'rejected') return [line]
  const total: Line = {
    kind: 'buyer',
    orderId,
    item: {
      Update: {
        TableName,
        Key: buyerKey(saleId, shopperId),
        UpdateExpression: 'ADD quantity :quantity',
        ConditionExpression: 'attribute_not_exists(quantity) OR quantity <= :room',
        ExpressionAttributeValues: { ':quantity': quantity, ':room': limit - quantity },
      },
    },
  }
  return [line, total]
}

function refusalOf(lines: readonly Line[], reasons: readonly CancellationReason[]): Refusal {
  const duplicates = new Set<OrderId>()
  const overLimit = new Set<OrderId>()
  const caps = new Map<SaleId, number>()
  lines.forEach((line, index) => {
    const reason = reasons[index]
    if (!conditionFailed(reason)) return
    if (line.kind === 'cap') caps.set(line.saleId, remainingOf(line.saleId, reason))
    else if (line.kind === 'order') duplicates.add(line.orderId)
    else if (!duplicates.has(line.orderId)) overLimit.add(line.orderId)
  })
  return { kind: 'refused', duplicates, overLimit, caps }
}

/** The units left in the cap item that refused. A sale without one was never warmed here: that is our fault. */
function remainingOf(saleId: SaleId, reason: CancellationReason | undefined): number {
  const remaining = Number(reason?.Item?.remaining?.N)
  if (!Number.isSafeInteger(remaining)) throw new Error(`the cap of ${saleId} is missing or not a number`)
  return remaining
}
