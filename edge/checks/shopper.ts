/** Checks of the shopper: session token, identity, rate limits, block list, level and role. */
import { rolesFor } from '../../core/api/control-routes.ts'
import { nameOfShopKey } from '../../core/orders/shop-key.ts'
import type { TokenFault } from '../../core/people/customer-keys.ts'
import { sessionCookie } from '../../core/people/session.ts'
import { roleDetail, roles, rolesAmong } from '../../core/roles.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { cookiesIn, headerOf } from '../cloudfront.ts'
import { findSessionToken } from '../find-session-token.ts'
import { addressKey } from '../memory/addresses.ts'
import { earlyWaitSeconds } from '../memory/early-requests.ts'
import type { ListsSnapshot } from '../memory/lists.ts'
import { type ProvenSession, proofSecretOf } from '../memory/passes.ts'
import type { ThrottleScope } from '../memory/throttle.ts'
import { prebuiltProblem } from '../problem-response.ts'
import {
  answerWith,
  type Check,
  type CheckResult,
  onceKnown,
  type RequestContext,
  refuse,
  refuseForNow,
  refuseForSeconds,
} from '../typed-funnel.ts'
import { blockedAddress } from './sale.ts'

const noToken = 'Sign in, and send exactly one session token.'
export const withoutToken = prebuiltProblem('sign-in-required', noToken)

/** Requires exactly one session token, of any form. */
export const checkOneToken: Check = (c, next) => {
  const { headers } = c.env.request
  const { kind } = headerOf(headers, 'authorization')
  const hasOne = kind === 'absent' ? cookiesIn(headers, sessionCookie).length === 1 : kind === 'one'
  return hasOne ? next() : answerWith(c, withoutToken)
}

/** Requires exactly one thing that looks like a session token. Costs no cryptography. */
export const checkTokenShape: Check<'memory', 'token'> = (c, next) => {
  const token = findSessionToken(c.env.request.headers)
  if (token === undefined) {
    addForgedPoints(c)
    return refuse(c, 'sign-in-required', noToken)
  }
  c.set('token', token)
  return next()
}

/** Limits addresses (R3): addresses.ts has the rule. */
export const checkAddressRate: Check<'memory' | 'sale' | 'token'> = (c, next) => {
  const { addresses, lists, tokens } = c.get('memory')
  const sale = c.get('sale')
  const { request, now } = c.env
  const wait = addresses.waitSeconds(sale, request.clientIp, now)
  if (wait > 0) return refuseForSeconds(c, wait)
  const isKnown = () => tokens.knows(c.get('token').text, lists.known().customers.issuers)
  const strangerWait = addresses.strangerWaitSeconds(sale, request.clientIp, now, isKnown)
  return strangerWait === 0 ? next() : refuseForSeconds(c, strangerWait)
}

/** Verifies the token. The answer never says what was wrong with it. */
export const checkIdentity: Check<'memory' | 'token', 'shopper'> = (c, next) => {
  const { config, lists, tokens, refusedTokens } = c.get('memory')
  const { text } = c.get('token')
  const secret = proofSecretOf(config)
  const isProven = (session: ProvenSession) => c.get('pass')?.proves({ ...session, secret }) ?? false
  let refused: readonly [issuerName: string, fault: TokenFault] | undefined
  const verify = ({ customers }: ListsSnapshot) =>
    tokens.verify(text, customers.issuers, isProven, (...found) => {
      refused = found
    })
  const judge = (shopper: ReturnType<typeof verify>): CheckResult => {
    if (shopper !== undefined && shopper !== 'expired') {
      c.set('shopper', shopper)
      return next()
    }
    if (refused !== undefined) refusedTokens.count(...refused)
    // The list of issuers was never read, and the token may be good.
    if (shopper === undefined && !lists.isKnown() && tokens.isForeign(text)) return refuseForNow(c)
    if (shopper === undefined) addForgedPoints(c)
    return refuse(c, 'sign-in-required', 'Sign in again.')
  }
  const shopper = verify(lists.known())
  if (shopper !== undefined || !tokens.isForeign(text)) return judge(shopper)
  // The shop may have named its issuer, or a new key of it, a moment ago.
  return onceKnown(lists.get(), (latest) => judge(verify(latest)))
}

/** An address has points only in sales: the limit is a rule of the sale. */
function addForgedPoints(c: RequestContext<'memory'>): void {
  const { addresses } = c.get('memory')
  const sale = c.get('sale')
  if (sale !== undefined) addresses.addPoints(sale, c.env.request.clientIp, 'forged', c.env.now)
}

/** Limits a shopper's requests for a sale (R2); requests before the start count by their token. */
export const checkShopperRate: Check<'memory' | 'sale' | 'token' | 'shopper', 'undoCount'> = (c, next) => {
  const memory = c.get('memory')
  const sale = c.get('sale')
  const { request, now } = c.env
  const early = earlyWaitSeconds(memory.throttle, c.get('token'), sale)
  if (early > 0) return refuseForSeconds(c, early)
  const refusal = countRequest(c, sale.saleId, sale.facts.rules.throttle.perShopper)
  if (refusal === undefined) memory.addresses.addPoints(sale, request.clientIp, 'passed', now)
  return refusal ?? next()
}

/** A page requests a challenge before the start, and a new one when that was refused. */
const challengesPerShopper: ThrottleRule = { limit: 10, windowSeconds: 60 }

export const checkChallengeRate: Check<'memory' | 'sale' | 'shopper', 'undoCount'> = (c, next) =>
  countRequest(c, `challenge of ${c.get('sale').saleId}`, challengesPerShopper) ?? next()

/** Paying and cancelling cost a transaction; an honest page retries once a second. Far above that is a script. */
const orderChangesPerShopper: ThrottleRule = { limit: 30, windowSeconds: 60 }

export const checkOrderChangeRate: Check<'memory' | 'shopper', 'undoCount'> = (c, next) =>
  countRequest(c, 'order changes', orderChangesPerShopper) ?? next()

/** Counts the request, or returns the refusal when the shopper is over the limit. */
function countRequest(
  c: RequestContext<'memory' | 'shopper', 'undoCount'>,
  scope: ThrottleScope,
  rule: ThrottleRule,
): Promise<Response> | undefined {
  const memory = c.get('memory')
  const sale = c.get('sale')
  const pace = memory.throttle.judge(scope, c.get('shopper').shopperId, rule)
  if (pace.kind === 'passed') {
    c.set('undoCount', pace.undoCount)
    return undefined
  }
  if (pace.ignoresRetryAfter && sale !== undefined) {
    memory.addresses.addPoints(sale, c.env.request.clientIp, 'ignoresRetryAfter', c.env.now)
  }
  return refuseForSeconds(c, pace.waitSeconds)
}

/**
 * Refuses blocked shoppers, and sessions that a blocked key has signed, or one that its shop has removed (R8), by lists
 * at most one second old at the arrival of the request. Without them no shopper passes (I6). In sales it looks at the
 * address once more. At the control API the function behind the gate decides again, by the table: so marketers pass by
 * the last known lists, and can pause a sale while the store is unavailable; and their address is not looked at, so
 * that they can lift a block of their own.
 */
export const checkBlockedShopper: Check<'memory' | 'shopper'> = async (c, next) => {
  const { shopperId, keyId, customer } = c.get('shopper')
  const { blocks, customers, isOld } = await c.get('memory').lists.getAt(c.env.now)
  if (isOld && c.env.route !== 'control') return refuseForNow(c)
  const isWithdrawn = customer !== undefined && !customers.keyIds.has(keyId)
  if (c.get('sale') !== undefined && blocks.hasAddress(c.env.request.clientIp)) return answerWith(c, blockedAddress)
  if (isWithdrawn || blocks.hasSessionKey(keyId)) return refuse(c, 'sign-in-required', 'Sign in again.')
  return blocks.hasShopper(shopperId) ? refuse(c, 'blocked', 'Requests from this shopper are blocked.') : next()
}

/** Refuses a blocked shop key by its name; only the function behind the gate knows whether it is genuine. */
export const checkBlockedShopKey: Check<'memory' | 'shopKey'> = async (c, next) => {
  const { blocks, isOld } = await c.get('memory').lists.getAt(c.env.now)
  if (isOld) return refuseForNow(c)
  return blocks.hasShopKey(nameOfShopKey(c.get('shopKey'))) ? refuse(c, 'blocked', 'This key is blocked.') : next()
}

/** Requires the sale's minimum level (R6), which the verified token holds. */
export const checkLevel: Check<'sale' | 'shopper'> = (c, next) => {
  const { minLevel } = c.get('sale').facts.rules
  return c.get('shopper').level >= minLevel
    ? next()
    : refuse(c, 'level-too-low', `This sale is for members of level ${minLevel} and above.`)
}

/** For control calls: requires a role that may make this call. The function behind the gate decides again. */
export const checkRole: Check<'shopper'> = (c, next) => {
  const held = rolesAmong(c.get('shopper').roles)
  const { method, uri } = c.env.request
  const needed = rolesFor(method, uri) ?? roles
  return needed.some((role) => held.includes(role))
    ? next()
    : refuse(c, 'role-required', roleDetail(needed), { roles: needed })
}

/** Twice the rate of a page that reads once a second while an order is being written. */
const orderReadsPerShopper: ThrottleRule = { limit: 120, windowSeconds: 60 }

/** An office of 1,000 winners who look ten times each. */
const orderReadsPerAddress: ThrottleRule = { limit: 10_000, windowSeconds: 60 }

/**
 * Limits reads of orders and wallets, which cost a function and the table. Counts only shoppers who
 * are signed in, so that strangers cannot use up the limit of an address.
 */
export const checkOrderReadRate: Check<'memory' | 'shopper'> = (c, next) => {
  const { rates, throttle } = c.get('memory')
  const { request, now } = c.env
  const address = `order reads ${addressKey(request.clientIp)}`
  const addressWait = rates.waitSeconds(address, orderReadsPerAddress, now)
  if (addressWait > 0) return refuseForSeconds(c, addressWait)
  const pace = throttle.judge('order reads', c.get('shopper').shopperId, orderReadsPerShopper)
  if (pace.kind === 'too-fast') return refuseForSeconds(c, pace.waitSeconds)
  rates.add(address, 1, orderReadsPerAddress, now)
  return next()
}
