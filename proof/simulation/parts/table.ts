/**
 * The table as the functions call it: the real stores over an in-memory table; every command is a step. The checks read
 * sales, orders and claims directly from its items, without faults.
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
import type { TableItem } from '../dynamodb/values.ts'
import { conflict, isWrite, itemsOf, type Sent, verbOf } from '../dynamodb/wire.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'

/** The table for checks, without steps and faults. */
export type GroundTruth = TableStores & {
  memory: MemoryTable
  table: Table
  /** Returns the stored sale; undefined once it is deleted. */
  sale: (saleId: SaleId) => SaleRecord | undefined
  /** Returns every order of the sale. */
  orders: (saleId: SaleId) => readonly Order[]
  /** Returns the order of each claimed packet of the sale. */
  packets: (saleId: SaleId) => readonly { number: number; orderId: OrderId }[]
  /** Returns the units that the shopper's orders hold. */
  bought: (saleId: SaleId, shopperId: ShopperId) => number
  audited: () => readonly AuditEntry[]
}

/** Maximum lag of an index behind the table, ms. */
const maxLagMs = 30_000

/** The share of queries that see a stale index. */
const lagRate = 0.3

/**
 * The share of walks over all parts of a sale whose queries are separate steps, so that other steps can run between
 * them.
 */
const separateWalkRate = 0.2

/** Small values split caps into many parts; the real value gives one part, because the stock is small. */
const unitsPerPart = [1, 3, unitsPerCapPart]

/** The smaller page size gives the lists of a sale several pages. */
const pageBytes = [2000, 1024 * 1024]

export function openGroundTruth(
  { random, now, profile, trace }: Simulation,
  edit: MemoryTableOptions['edit'],
): GroundTruth {
  const memory = memoryTable({
    now,
    pageBytes: random.pick(pageBytes),
    indexedAt: () => {
      if (profile.rate === 0 || !random.chance(lagRate)) return now()
      trace.countFault('table list', 'stale list')
      return now() - random.spread(100, maxLagMs)
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

/** Caches the parsed value of each item: checks read all items after every write, and few have changed. */
function memoizeByItem<T>(read: (item: TableItem) => T): (item: TableItem) => T {
  const known = new WeakMap<TableItem, { value: T }>()
  return (item) => {
    const found = known.get(item) ?? { value: read(item) }
    known.set(item, found)
    return found.value
  }
}
const readSale = memoizeByItem(readSaleItem)
const readOrder = memoizeByItem(readOrderItem)

/**
 * Turns every command into a step. `check` runs after each command that may have changed orders, claims or sales,
 * `count` after one that may have changed an escrow, both before the caller gets the answer.
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
      onNoAnswer: throwUnanswered,
      ...(canConflict && { onConflict: () => throwConflict(first) }),
      rare: items.includes('ESCROW') || items.join() === 'CAP,AUDIT',
    })
  }

  /** The parallel queries of a walk over all parts of a sale. */
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
    if (isOfWalk && !(walk === undefined && random.chance(separateWalkRate))) return joinWalk(command)
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
