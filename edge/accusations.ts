/**
 * What instances of the gate tell each other about addresses, by way of the store (R3): a machine that comes to another
 * instance with every request has little on its account at each of them. Honest requests are not told, so what the store
 * hears follows the misconduct, and is one call a second for each sale and instance at most.
 *
 * A telling that fails is forgotten: who goes on like that will be told of again.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../core/ids.ts'
import type { ThrottleRule } from '../core/sale.ts'
import { type GateStore, maxAccusations } from './gate-store.ts'

export type Accusations = {
  add(saleId: SaleId, address: string, points: number, rule: ThrottleRule, now: number): void
  /** Epoch ms until which all instances together have shut the address out; 0 when they have not. */
  shutUntil(saleId: SaleId, address: string): number
}

/** Fewer points than these are kept back until more come: one click too early is nobody's business. */
const worthTelling = 5
const tellEveryMs = 1000

/** At least so many addresses are remembered, at most twice as many. */
const maxAddresses = 5000

/** The addresses of one sale that are worth telling, with their points. */
type Docket = { accused: Map<string, number>; toldAt: number; isTelling: boolean }

/** A telling without an answer is told to `onFailure`. */
export function createAccusations(
  store: Pick<GateStore, 'accuse'>,
  onFailure: (error: unknown) => void,
): Accusations {
  const untold = new QuickLRU<string, number>({ maxSize: maxAddresses })
  const verdicts = new QuickLRU<string, number>({ maxSize: maxAddresses })
  const dockets = new QuickLRU<SaleId, Docket>({ maxSize: 100 })

  async function tell(saleId: SaleId, docket: Docket, rule: ThrottleRule, now: number): Promise<void> {
    const accusations = [...docket.accused].map(([address, points]) => ({ address, points }))
    docket.accused.clear()
    docket.toldAt = now
    docket.isTelling = true
    try {
      const shut = await store.accuse(saleId, rule, accusations, now)
      for (const [address, until] of shut) verdicts.set(`${saleId} ${address}`, until)
    } catch (error) {
      onFailure(error)
    } finally {
      docket.isTelling = false
    }
  }

  return {
    add(saleId, address, points, rule, now) {
      const key = `${saleId} ${address}`
      const sum = (untold.get(key) ?? 0) + points
      untold.set(key, sum)
      const docket = dockets.get(saleId) ?? { accused: new Map(), toldAt: 0, isTelling: false }
      dockets.set(saleId, docket)
      const { accused } = docket
      if (sum >= worthTelling && (accused.has(address) || accused.size < maxAccusations)) {
        untold.set(key, 0)
        accused.set(address, (accused.get(address) ?? 0) + sum)
      }
      const isDue = accused.size > 0 && (now < docket.toldAt || now - docket.toldAt >= tellEveryMs)
      if (isDue && !docket.isTelling) void tell(saleId, docket, rule, now)
    },
    shutUntil: (saleId, address) => verdicts.get(`${saleId} ${address}`) ?? 0,
  }
}
