/** Mutations: programs with one planted defect each. */
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { MemoryTableOptions, TransactionPart } from './dynamodb/memory-table.ts'
import { type CarryOutAt, onWireAt } from './dynamodb/wire.ts'
import { type ScriptTexts, scriptText } from './parts/redis.ts'
import type { Outside } from './shared-ports.ts'

/**
 * The defect replaces `scripts` of Redis, changes requests of the table's transactions (`edit`), or wraps the parts
 * that functions call (`outside`). It affects sales of `kind`; with `isSplit` only split stocks, with `hasVariants`
 * only sales with variants, with `hasCheckout` only those paid in the checkout of the shop, with `option` only those
 * with that option, with `hasCustomers` only those with customers of the shop.
 */
export type Mutation = {
  name: string
  /** Must match the violation, when the defect can cause others too. */
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

/** Returns the script `name` with `original` replaced by `text`. @throws when the script does not contain it */
export function editedScript(name: string, original: string, text: string): ScriptTexts {
  const source = scriptText(name)
  if (!source.includes(original)) throw new Error(`${name}.lua has changed: ${original} is not in it`)
  return new Map([[name, source.replace(original, text)]])
}

/** Wraps the commands of that name of the functions' table with `carryOut`. */
export function onTableCommand(at: string | RegExp, carryOut: CarryOutAt): NonNullable<Mutation['outside']> {
  return ({ table, ...outside }) => ({ ...outside, table: { ...table, table: onWireAt(table.table, at, carryOut) } })
}

/** Removes the condition of the requests that match `isMeant`. */
export function withoutCondition(isMeant: (request: TransactionPart) => boolean): Mutation['edit'] {
  return (_, request) => (isMeant(request) ? unconditional(request) : request)
}

/** Returns the request with a condition that always holds and uses the same placeholders. */
function unconditional(request: TransactionPart): TransactionPart {
  const { ConditionExpression: condition } = request
  if (condition === undefined) return request
  return {
    ...request,
    ConditionExpression: `(${condition}) OR attribute_exists(pk) OR attribute_not_exists(pk)`,
  }
}

/** True when the `pk` and `sk` of the request's item start with these texts. */
export function isForItem({ Key, Item }: TransactionPart, pk: string, sk = ''): boolean {
  const key = Key ?? Item
  return String(key?.pk).startsWith(pk) && String(key?.sk).startsWith(sk)
}
