/** A program that is wrong in one place. */
import type { SaleKind } from '../core/sale.ts'
import type { MemoryTable } from './memory/order-table.ts'
import { type ScriptTexts, scriptText } from './parts/redis.ts'
import type { Outside } from './shared-ports.ts'

/**
 * What stands in the place of the real thing: `scripts` of those in Redis, `table` of the transactions and their
 * conditions, `outside` of what the functions call. `kind` is what it sells wrongly.
 */
export type Mutation = {
  name: string
  /** What the violation must say, where one may come of something else that is wrong by then. */
  found?: RegExp
  kind: SaleKind
  scripts?: ScriptTexts
  table?: (table: MemoryTable) => MemoryTable
  outside?: (outside: Outside) => Outside
}

/** The script `name` with `text` where `original` stood. */
export function edited(name: string, original: string, text: string): ScriptTexts {
  const source = scriptText(name)
  if (!source.includes(original)) throw new Error(`${name}.lua has changed: ${original} is not in it`)
  return new Map([[name, source.replace(original, text)]])
}
