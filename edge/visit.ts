/** One request on its way through the funnel, and the memory of the instance that serves it. */
import type { SaleId } from '../core/ids.ts'
import type { Addresses } from './addresses.ts'
import type { Admissions } from './admissions.ts'
import type { Challenges } from './challenge.ts'
import type { EdgeRequest, EdgeResponse } from './cloudfront.ts'
import type { Config } from './config.ts'
import type { Cooldowns } from './cooldowns.ts'
import type { Flags } from './flags.ts'
import type { GateFacts, GateStore } from './gate-store.ts'
import type { Notices } from './notices.ts'
import type { PointWindows } from './point-windows.ts'
import { unavailable } from './problem-response.ts'
import type { Route } from './routes.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'

/**
 * What one configuration's requests share within an instance. `perSale` counts what passed, by sale id; `rates` counts requests
 * that name no sale, by address; `vainLookups` counts look-ups of sales that do not exist, `rereads` those of sales for clicks of a
 * newer opening, by sale id.
 */
export type Memory = {
  config: Config
  store: GateStore
  flags: Flags
  notices: Notices
  admissions: Admissions
  tokens: Tokens
  throttle: Throttle
  addresses: Addresses
  perSale: PointWindows
  cooldowns: Cooldowns
  rates: PointWindows
  vainLookups: PointWindows
  rereads: PointWindows
  challenges: Challenges
}

/** `now` is the time of arrival, epoch ms. `facts` are set by the check for a known sale, where the path names one. */
export type Visit = {
  request: EdgeRequest
  requestId: string
  route: Route
  memory: Memory
  now: number
  facts: GateFacts | undefined
}

/** A check that memory can make: a prebuilt refusal, or undefined to go on. A promise only to ask the store. */
export type MemoryCheck = (visit: Visit) => EdgeResponse | undefined | Promise<EdgeResponse | undefined>

export type VisitedSale = { saleId: SaleId; facts: GateFacts }

/** The sale a visit is to, once the check for a known sale has found it; undefined on paths that name none. */
export function saleOf({ route, facts }: Visit): VisitedSale | undefined {
  return 'saleId' in route && facts !== undefined ? { saleId: route.saleId, facts } : undefined
}

/** A check of what the visited sale is like. It refuses for now where there is none: a funnel that lacks the known sale. */
export function ofSale(check: (visit: Visit, sale: VisitedSale) => ReturnType<MemoryCheck>): MemoryCheck {
  return (visit) => {
    const sale = saleOf(visit)
    return sale === undefined ? unavailable() : check(visit, sale)
  }
}
