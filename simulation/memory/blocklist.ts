/** The block list in memory, as the table has it. */
import type { BlockEntry } from '../../core/api/control.ts'
import { type Block, blockField } from '../../core/block.ts'
import { maxBlocks } from '../../functions/repair/compare-blocklist.ts'
import type { Blocklist } from '../../functions/repair/ports.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'
import { outage, type Switchable } from './outage.ts'

/** Every change adds its entry to `audit`. */
export function memoryBlocklist(audit: AuditEntry[]): Blocklist & Switchable {
  const light = outage('DynamoDB')
  const entries = new Map<string, BlockEntry>()
  const find = (block: Block) => entries.get(blockField(block))
  return {
    ...light,
    async entries() {
      light.pass()
      return [...entries.values()]
    },
    async find(block) {
      light.pass()
      return find(block)
    },
    async add(entry, change) {
      light.pass()
      const there = find(entry)
      if (there !== undefined) return { kind: 'there', entry: there }
      if (entries.size >= maxBlocks) return { kind: 'full' }
      entries.set(blockField(entry), entry)
      audit.push(change)
      return { kind: 'added', entry }
    },
    async remove(block, change) {
      light.pass()
      if (!entries.delete(blockField(block))) return 'not-there'
      audit.push(change)
      return 'removed'
    },
  }
}
