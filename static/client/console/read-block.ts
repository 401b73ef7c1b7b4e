/** What `/api/control/blocklist` answers, from `unknown` to entries. */
import { type Block, parseBlock } from '../../../core/block.ts'
import { fieldsOf } from '../wire.ts'

/** Whom the gate turns away, by whose doing, and since when (epoch ms). */
export type BlockEntry = Block & { who: string; when: number }

export function readBlock(item: unknown): BlockEntry | undefined {
  const { kind, value, who, when } = fieldsOf(item) ?? {}
  if (typeof kind !== 'string' || typeof value !== 'string') return undefined
  const block = parseBlock(kind, value)
  if (block === undefined || typeof who !== 'string' || typeof when !== 'number') return undefined
  return { ...block, who, when }
}
