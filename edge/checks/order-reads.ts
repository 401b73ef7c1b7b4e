/**
 * Are a shopper's orders or wallet read too often, by the shopper or from the address? These reads cost a function and the
 * table, and winners need both. Signed-in shoppers alone are counted, so that strangers shut out nobody of their address.
 */
import type { ThrottleRule } from '../../core/sale.ts'
import { addressKey } from '../addresses.ts'
import { type AppCheck, refuseForSeconds } from '../app-env.ts'

/** Twice what a page asks that looks once a second while an order is being written. */
const perShopper: ThrottleRule = { limit: 120, windowSeconds: 60 }

/** An office of 1,000 winners who look ten times each. */
const perAddress: ThrottleRule = { limit: 10_000, windowSeconds: 60 }

export const checkOrderReads: AppCheck = async (c, next) => {
  const { request, memory, now } = c.env.visit
  const { rates, throttle } = memory
  const address = `order reads ${addressKey(request.clientIp)}`
  const addressWait = rates.waitSeconds(address, perAddress, now)
  if (addressWait > 0) return refuseForSeconds(c, addressWait)
  const pace = throttle.judge('order reads', c.var.shopper.shopperId, perShopper)
  if (pace.kind === 'too-fast') return refuseForSeconds(c, pace.waitSeconds)
  rates.add(address, 1, perAddress, now)
  return next()
}
