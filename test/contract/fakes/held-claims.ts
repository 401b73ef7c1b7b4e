/** The claims of an in-memory Redis without any claim. */
import type { Claims } from '../../../functions/repair/claims.ts'

export function noClaims(): Claims {
  return {
    async *pages() {},
    async *pending() {},
    acknowledge: async () => undefined,
    restore: async () => ({ restored: 0, refused: 0 }),
    clear: async () => 'cleared',
    retire: async () => 'retired',
  }
}
