/**
 * The table as the functions reach it: the real stores over a table in memory, every command a step. Sales, orders
 * and claims are read from its items for the checks, without any fault.
 */

import { TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { type OrderId, parseOrderId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { unitsPerCapPart } from '../../../core/orders/cap-part.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import type { AuditEntry } from '../../../functions/table/audit.ts'
import { auditDay, buyerKey, type ItemKey, orderParts, saleKey } from '../../../functions/table/keys.ts'
import { readOrderItem } from '../../../functions/table/orders/order-item.ts'
import { isDeleted, readSaleItem, type SaleRecord } from '../../../functions/table/sale/sale-item.ts'
import { TransactionRequest } from '../../../functions/table/transaction.ts'
import { partsOfPackets } from '../../packets-in-table.ts'
import {
  type MemoryTable,
  type MemoryTableOptions,
  memoryTable,
  storesOf,
  type TableStores,
  tableName,
} from '../dynamodb/memory-table.ts'
import type { Item } from '../dynamodb/values.ts'
import { conflict, isWrite, itemsOf, type Sent, verbOf } from '../dynamodb/wire.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'

/** The table for checks only: without steps and without faults. */
export type GroundTruth = TableStores & {
  memory: MemoryTable
  table: Table
  /** The sale as it is stored; undefined once it is deleted. */
  sale: (saleId: SaleId) => SaleRecord | undefined
  /** Every order of the sale. */
  orders: (saleId: SaleId) => readonly Order[]
  /** Whose each red packet of the sale is. */
  packets: (saleId: SaleId) => readonly { number: number; orderId: OrderId }[]
  /** The units that the shopper's orders hold of the sale. */
  bought: (saleId: SaleId, shopperId: ShopperId) => number
  audited: () => readonly AuditEntry[]
}

/** The longest an index may lag behind the table, ms. */
const longestLagMs = 30_000

/** How often it does. */
const lagging = 0.3

/** How often the queries of a walk over all parts of a sale are steps of their own, and others come between them. */
const walkingApart = 0.2

/** Caps of many parts and, as in the real table, of one: the stock is small. */
const unitsPerPart = [1, 3, unitsPerCapPart]

/** The bytes of a page: with the smaller number the lists of a sale have several pages. */
const pageBytes = [2000, 1024 * 1024]

export function openGroundTruth(
  { random, now, profile, trace }: Simulation,
  edit: MemoryTableOptions['edit'],
): GroundTruth {
  const memory = memoryTable({
    now,
    pageBytes: random.pick(pageBytes),
    indexedAt: () => {
      if (profile.rate === 0 || !random.chance(lagging)) return now()
      trace.countFault('table list', 'stale list')
      return now() - random.spread(100, longestLagMs)
    },
    edit,
  })
  const table = { client: memory.client, name: tableName, unitsPerCapPart: random.pick(unitsPerPart) }
  const atKey = ({ pk, sk }: ItemKey) => [...memory.items(pk)].find((item) => item.sk === sk)
  return {
    ...storesOf(table),
    memory,
    table,
    sale(saleId) {
      const item = atKey(saleKey(saleId))
      return item === undefined || isDeleted(item) ? undefined : readSale(item)
    },
    orders: (saleId) => orderParts(saleId).flatMap((part) => [...memory.items(part)].map(readOrder)),
    packets: (saleId) =>
      partsOfPackets(saleId).flatMap((part) =>
        [...memory.items(part)].flatMap(({ sk, orderId }) => {
          const id = parseOrderId(orderId)
          return id === undefined ? [] : [{ number: Number(sk), orderId: id }]
        }),
      ),
    bought: (saleId, shopperId) => Number(atKey(buyerKey(saleId, shopperId))?.quantity ?? 0),
    audited: () =>
      [...memory.items()].filter(({ pk }) => String(pk).startsWith(auditDay(''))) as unknown as AuditEntry[],
  }
}

/** Items are read after every write, and few of them have changed. */
function onceEach<T>(read: (item: Item) => T): (item: Item) => T {
  const known = new WeakMap<Item, { value: T }>()
  return (item) => {
    const found = known.get(item) ?? { value: read(item) }
    known.set(item, found)
    return found.value
  }
}
const readSale = onceEach(readSaleItem)
const readOrder = onceEach(readOrderItem)

/**
 * `check` is called after each command that may have changed orders, claims or sales, `count` after one that may
 * have changed an escrow, before the caller receives the answer.
 */
export function steppedTable(
  simulation: Simulation,
  { table }: GroundTruth,
  { check, count }: { check: () => Promise<void>; count: () => Promise<void> },
): TableStores {
  const { random } = simulation
  const carryOut = async (command: Sent) => {
    try {
      return await (table.client.send as (command: Sent) => Promise<object>)(command)
    } finally {
      if (isWrite(command)) {
        if (itemsOf(command).includes('ESCROW')) await count()
        else await check()
      }
    }
  }
  const step = (commands: readonly Sent[]): Promise<readonly object[]> => {
    const [first] = commands
    if (first === undefined) throw new RangeError('a step needs a command')
    const items = itemsOf(first)
    const canConflict = isWrite(first) || first.constructor.name === 'TransactGetCommand'
    return simulation.perform({
      part: 'table',
      name: `${verbOf(first)} ${items.join('+')}`,
      about: aboutOf(first instanceof TransactionRequest ? first.body : first.input),
      run: () => Promise.all(commands.map(carryOut)),
      unanswered: throwUnanswered,
      ...(canConflict && { busy: () => throwConflict(first) }),
      rare: items.includes('ESCROW') || items.join() === 'CAP,AUDIT',
    })
  }

  /** The queries of a walk over all parts of a sale, which are sent at once. */
  let walk: { commands: Sent[]; answers: Promise<readonly object[]> } | undefined
  const joinWalk = async (command: Sent) => {
    if (walk === undefined) {
      const commands: Sent[] = []
      const answers = Promise.resolve().then(() => {
        walk = undefined
        return step(commands)
      })
      walk = { commands, answers }
    }
    const { commands, answers } = walk
    const place = commands.push(command) - 1
    return (await answers)[place] ?? {}
  }
  const send = async (command: Sent) => {
    const isOfWalk = itemsOf(command).join() === 'ORDERS' && verbOf(command) === 'query'
    if (isOfWalk && !(walk === undefined && random.chance(walkingApart))) return joinWalk(command)
    return (await step([command]))[0]
  }
  return storesOf({ ...table, client: { send } as Table['client'] })
}

function throwConflict(command: Sent): never {
  if (!(command instanceof TransactionRequest || command.constructor.name === 'TransactGetCommand'))
    throw new TransactionConflictException({
      message: 'a transaction uses the item',
      $metadata: { httpStatusCode: 400 },
    })
  throw conflict()
}
