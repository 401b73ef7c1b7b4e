/** Checks of the caller's address and of the sale that the path names; whether the sale exists: known-sale.ts. */
import { parseSaleId } from '../../core/ids.ts'
import type { BlockList } from '../memory/block-list.ts'
import { prebuiltProblem } from '../problem-response.ts'
import { answerWith, type Check, onceKnown, type RequestContext, refuseForNow } from '../typed-funnel.ts'
import { notFoundResponse } from './request.ts'

export const readSaleId: Check<never, 'saleId'> = (c, next) => {
  const saleId = parseSaleId(c.req.param('saleId'))
  if (saleId === undefined) return answerWith(c, notFoundResponse)
  c.set('saleId', saleId)
  return next()
}

/**
 * Requests the sale's facts and the lists together, when this request must wait for one of them
 * anyway: a cold instance then answers after one round trip. A made-up sale id is not worth it, and
 * a quiet sale refuses the request without the lists.
 */
export const prefetchSale: Check<'memory' | 'saleId'> = (c, next) => {
  const { flags, lists } = c.get('memory')
  const saleId = c.get('saleId')
  const isCold = lists.knownBlocks() === undefined
  const mayExist = flags.hasSeen(saleId) || (isCold && lists.mayHold(saleId))
  if (mayExist && flags.get(saleId) instanceof Promise && !flags.wasQuiet(saleId)) void lists.get()
  return next()
}

export const blockedAddress = prebuiltProblem('blocked', 'Requests from this IP address are blocked.')

/**
 * Refuses blocked addresses (R8), before the shopper is known, by a block list at most one second
 * old. Requests pass by a list of any age: most of them are refused from memory by the next checks,
 * and checkBlockedShopper reads the list again for the others.
 */
export const checkBlockedAddress: Check<'memory'> = (c, next) => {
  const { lists } = c.get('memory')
  const known = lists.knownBlocks()
  if (known !== undefined && !isBlocked(c, known)) return next()
  return onceKnown(lists.get(), ({ blocks }) => (isBlocked(c, blocks) ? answerWith(c, blockedAddress) : next()))
}

/** Refuses blocked addresses outside of sales. This list is final, so an instance that was idle reads it first. */
export const checkBlockedCaller: Check<'memory'> = async (c, next) => {
  const { blocks, isOld } = await c.get('memory').lists.getAt(c.env.now)
  if (isOld) return refuseForNow(c)
  return isBlocked(c, blocks) ? answerWith(c, blockedAddress) : next()
}

const isBlocked = (c: RequestContext, blocks: BlockList) => blocks.hasAddress(c.env.request.clientIp)

const wrongKind = prebuiltProblem('conflict', 'This sale is of another kind. Reload its page.')

/** Packets are claimed, all other kinds are bought. The scripts check this as well. */
export const checkKind: Check<'sale'> = (c, next) => {
  const isClaim = c.env.route === 'claim'
  const hasPackets = c.get('sale').facts.rules.kind === 'red-packet'
  return isClaim === hasPackets ? next() : answerWith(c, wrongKind)
}
