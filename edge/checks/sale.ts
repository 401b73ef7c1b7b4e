/**
 * Checks of the caller's address and of the sale that the path names; whether the sale exists:
 * known-sale.ts.
 */

import type { BlockList } from '../memory/block-list.ts'
import { prebuiltProblem } from '../problem-response.ts'
import { answerWith, type Check, type CheckResult, type RequestContext } from '../typed-funnel.ts'
import { notFound } from './request.ts'

export const takeSaleId: Check<never, 'saleId'> = (c, next) => {
  const { saleId } = c.env
  if (saleId === undefined) return answerWith(c, notFound)
  c.set('saleId', saleId)
  return next()
}

/**
 * Requests the sale's facts together with the lists, when this request must wait for the lists
 * anyway: a cold instance then answers after one round trip. A made-up sale id is not worth it.
 */
export const prefetchSale: Check<'memory' | 'saleId'> = (c, next) => {
  const memory = c.get('memory')
  const saleId = c.get('saleId')
  const { flags, lists } = memory
  if (lists.get() instanceof Promise && (flags.hasSeen(saleId) || lists.mayHold(saleId)))
    void flags.get(saleId)
  return next()
}

const blocked = prebuiltProblem('blocked', 'Requests from this IP address are blocked.')

/**
 * Refuses blocked addresses (R8), before the shopper is known. Sales need a block list at most one
 * second old.
 */
export const checkBlockedAddress: Check<'memory'> = (c, next) => {
  const lists = c.get('memory').lists.get()
  const judge = (blocks: BlockList): CheckResult => (isBlocked(c, blocks) ? answerWith(c, blocked) : next())
  return lists instanceof Promise ? lists.then(({ blocks }) => judge(blocks)) : judge(lists.blocks)
}

/**
 * The same outside of sales, by the last known block list: shoppers see and pay orders while the
 * store is unavailable.
 */
export const checkBlockedCaller: Check<'memory'> = (c, next) => {
  const blocks = c.get('memory').lists.lastBlocks()
  const judge = (known: BlockList): CheckResult => (isBlocked(c, known) ? answerWith(c, blocked) : next())
  return blocks instanceof Promise ? blocks.then(judge) : judge(blocks)
}

const isBlocked = (c: RequestContext, blocks: BlockList) => blocks.hasAddress(c.env.request.clientIp)

const wrongKind = prebuiltProblem('conflict', 'This sale is of another kind. Reload its page.')

/** Packets are claimed, all other kinds are bought. The scripts check this as well. */
export const checkKind: Check<'sale'> = (c, next) => {
  const isClaim = c.env.route === 'claim'
  const hasPackets = c.get('sale').facts.rules.kind === 'red-packet'
  return isClaim === hasPackets ? next() : answerWith(c, wrongKind)
}
