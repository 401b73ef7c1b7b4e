/** The block list in the gate's store. */
import type { Commander } from '../../redis/command.ts'
import { readBlocklist, setBlocked } from '../../redis/shared-lists.ts'
import type { BlockNotices } from '../repair/compare-blocklist.ts'

export function redisBlockNotices(gate: Commander): BlockNotices {
  return {
    read: () => readBlocklist(gate),
    set: (field, blocked, now) => setBlocked(gate, field, blocked, now),
  }
}
