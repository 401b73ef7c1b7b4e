/** A program with one deliberate defect. */
import type { SaleKind } from '../core/settings.ts'
import type { MemoryTable } from './memory/order-table.ts'
import { type ScriptTexts, scriptText } from './parts/redis.ts'
import type { Outside } from './shared-ports.ts'

/**
 * What replaces the real part: `scripts` those in Redis, `table` the transactions and their
 * conditions, `outside` what the functions call. `kind` is the kind of sale it affects, `isSplit` that
 * only a split stock is affected, `hasVariants` only a sale with variants.
 */
export type Mutation = {
  name: string
  /** What the violation must say, where the defect can cause others as well. */
  found?: RegExp
  kind: SaleKind
  isSplit?: true
  hasVariants?: true
  scripts?: ScriptTexts
  table?: (table: MemoryTable) => MemoryTable
  outside?: (outside: Outside) => Outside
}

/** The script `name` with `original` replaced by `text`. */
export function edited(name: string, original: string, text: string): ScriptTexts {
  const source = scriptText(name)
  if (!source.includes(original)) throw new Error(`${name}.lua has changed: ${original} is not in it`)
  return new Map([[name, source.replace(original, text)]])
}
