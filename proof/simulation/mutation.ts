/** A program with one deliberate defect. */
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { MemoryTableOptions, TransactionPart } from './dynamodb/memory-table.ts'
import { type CarryAt, onWireAt } from './dynamodb/wire.ts'
import { type ScriptTexts, scriptText } from './parts/redis.ts'
import type { Outside } from './shared-ports.ts'

/**
 * What replaces the real part: `scripts` those in Redis, `edit` the requests of the table's transactions,
 * `outside` what the functions call. `kind` is the kind of sale it affects, `isSplit` that
 * only a split stock is affected, `hasVariants` only a sale with variants, `hasCheckout` only one that is
 * paid in the checkout of the shop, `option` only one with the option of that name, `hasCustomers` only one at which customers of the shop buy.
 */
export type Mutation = {
  name: string
  /** What the violation must say, where the defect can cause others as well. */
  found?: RegExp
  kind: SaleKind
  isSplit?: true
  hasVariants?: true
  hasCheckout?: true
  option?: string
  hasCustomers?: true
  scripts?: ScriptTexts
  edit?: NonNullable<MemoryTableOptions['edit']>
  outside?: (outside: Outside) => Outside
}

/** The script `name` with `original` replaced by `text`. */
export function edited(name: string, original: string, text: string): ScriptTexts {
  const source = scriptText(name)
  if (!source.includes(original)) throw new Error(`${name}.lua has changed: ${original} is not in it`)
  return new Map([[name, source.replace(original, text)]])
}

/** The functions have a table whose commands of that name are carried out by `carry`. */
export function onTable(at: string | RegExp, carry: CarryAt): NonNullable<Mutation['outside']> {
  return ({ table, ...outside }) => ({ ...outside, table: { ...table, table: onWireAt(table.table, at, carry) } })
}

/** Requests are carried out without their condition, where `isMeant`. */
export function withoutCondition(isMeant: (request: TransactionPart) => boolean): Mutation['edit'] {
  return (_, request) => (isMeant(request) ? unconditional(request) : request)
}

/** The request with a condition that always holds, and names the same placeholders. */
function unconditional(request: TransactionPart): TransactionPart {
  const { ConditionExpression: condition } = request
  if (condition === undefined) return request
  return {
    ...request,
    ConditionExpression: `(${condition}) OR attribute_exists(pk) OR attribute_not_exists(pk)`,
  }
}

/** Whether the request is of an item whose `pk` and `sk` start with that. */
export function isOf({ Key, Item }: TransactionPart, pk: string, sk = ''): boolean {
  const key = Key ?? Item
  return String(key?.pk).startsWith(pk) && String(key?.sk).startsWith(sk)
}
