/** The banks of split stocks, one item for each sale. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { parse, whole } from '../../../core/lib/parse.ts'
import type { Bank } from '../../../core/stock/rights.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { bankKey } from '../keys.ts'
import type { Saved } from '../sale/sales.ts'
import { transact } from '../transaction.ts'

/** Strongly consistent. */
export type BankBook = {
  /** Undefined for a sale whose stock is not split. */
  find: (saleId: SaleId) => Promise<Bank | undefined>
  /** A bank that is there stays as it is. */
  open: (saleId: SaleId, bank: Bank) => Promise<void>
  /** Saves `next` over the bank of revision `seen`. */
  save: (saleId: SaleId, seen: number, next: Bank) => Promise<Saved>
}

const max = Number.MAX_SAFE_INTEGER
const number = whole(0, max)

const transfer = z.strictObject({ number, delta: whole(-max, max), borrower: z.optional(number) })

const storedBank = z.strictObject({
  revision: number,
  pool: whole(-max, max),
  change: number,
  refused: z.optional(number),
  shards: z.array(
    z.strictObject({
      granted: number,
      generation: number,
      transfer: z.optional(transfer),
      recovery: z.optional(z.enum(['started', 'reissued'])),
    }),
  ),
})

export function dynamoBanks(table: Table): BankBook {
  const { client, name } = table
  const put = (saleId: SaleId, bank: Bank, condition: Condition) =>
    transact(table, [{ Put: { TableName: name, Item: { ...bankKey(saleId), ...bank }, ...condition } }])

  return {
    async find(saleId) {
      const get = new GetCommand({ TableName: name, Key: bankKey(saleId), ConsistentRead: true })
      const { Item } = await client.send(get)
      return Item === undefined ? undefined : readBank(Item)
    },

    async open(saleId, bank) {
      await put(saleId, bank, { ConditionExpression: 'attribute_not_exists(pk)' })
    },

    async save(saleId, seen, next) {
      const condition = {
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': seen },
      }
      return (await put(saleId, next, condition)) === 'written' ? 'saved' : 'conflict'
    },
  }
}

type Condition = { ConditionExpression: string; ExpressionAttributeValues?: Record<string, number> }

/** @throws UnexpectedItem */
function readBank({ pk, sk, ...item }: Record<string, unknown>): Bank {
  const bank = parse(storedBank, item)
  if (!bank.ok) throw new UnexpectedItem('a bank', bank.detail)
  return bank.value
}
