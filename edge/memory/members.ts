/**
 * Caches which shoppers are on the list of a sale by invitation. A list may be long, so an instance looks up
 * single shoppers, each with a variant at most once in some seconds.
 */
import QuickLRU from 'quick-lru'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { listMember } from '../../core/sale/invited.ts'
import type { GateStore } from './gate-store.ts'

export type Members = {
  /** Undefined when the store did not answer. A promise only when the store must be read. */
  has(
    saleId: SaleId,
    shopperId: ShopperId,
    variant: string | undefined,
  ): boolean | undefined | Promise<boolean | undefined>
}

/** At least this many are kept, at most twice as many; each takes about 150 bytes. */
const maxShoppers = 10_000

/** How long a shopper counts as on the list, or not on it, ms. */
export const memberMs = 5000

/** How long after a failure the store is not asked for the same shopper, ms. */
export const failedMs = 1000

type Answer = { value: boolean | undefined | Promise<boolean | undefined>; until: number }

/** `clock` gives epoch ms. `onFailure` is called with failed reads, at most once a second. */
export function createMembers(
  store: Pick<GateStore, 'isMember'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Members {
  const answers = new QuickLRU<string, Answer>({ maxSize: maxShoppers })
  let quietUntil = 0

  async function ask(key: string, asked: Parameters<GateStore['isMember']>): Promise<boolean | undefined> {
    try {
      const value = await store.isMember(...asked)
      answers.set(key, { value, until: clock() + memberMs })
      return value
    } catch (error) {
      const now = clock()
      answers.set(key, { value: undefined, until: now + failedMs })
      if (now >= quietUntil) {
        quietUntil = now + failedMs
        onFailure(error)
      }
      return undefined
    }
  }

  return {
    has(saleId, shopperId, variant) {
      const key = `${saleId} ${listMember(shopperId, variant)}`
      const known = answers.get(key)
      if (known !== undefined && clock() < known.until) return known.value
      const value = ask(key, [saleId, shopperId, variant])
      // Requests that arrive meanwhile wait for the same answer.
      answers.set(key, { value, until: clock() + memberMs })
      return value
    },
  }
}
