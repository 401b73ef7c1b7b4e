/**
 * Finds the sale (B2). A sale that this instance has seen comes from memory; the request waits for the store only when
 * memory is more than a second old. A store that does not answer closes the sale for now (I6).
 *
 * Ids that the instance has not seen go through the filter of sale ids, which rejects made-up ids without a read (B4)
 * except for a look at the newest filter, at most four times a second. Ids that pass the filter are read from the store
 * until `lookupsPerSecond` of them did not exist. Then the list of sales decides: it is exact, and each version of it
 * is read once. So made-up ids cost no more reads than that, and no published sale waits behind them.
 *
 * Only filter and list prove that a sale does not exist. A store that has lost a sale, or has neither filter nor list,
 * proves nothing: the answer is 503 until reconcile has repaired it (B3).
 */
import { maxFilterAgeMs } from '../../core/gate/sale-filter.ts'
import type { SaleId } from '../../core/ids.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { type Known, quietMs } from '../memory/flags.ts'
import type { ListsSnapshot } from '../memory/lists.ts'
import type { Memory } from '../memory/memory.ts'
import { prebuiltProblem, unavailableResponse } from '../problem-response.ts'
import { answerWith, type Check, onceKnown } from '../typed-funnel.ts'

const unknownSale = prebuiltProblem('unknown-sale', 'There is no such sale, or it was archived a week after its end.')

/** Reads of sales that do not exist, for one instance. */
const lookupsPerSecond: ThrottleRule = { limit: 10, windowSeconds: 1 }

export const checkKnownSale: Check<'memory' | 'saleId', 'sale'> = (c, next) => {
  const memory = c.get('memory')
  const saleId = c.get('saleId')
  return onceKnown(findSale(memory, saleId, c.env.now), (known) => {
    if (known.kind === 'unknown-sale') return answerWith(c, unknownSale)
    if (known.kind === 'unavailable') return answerWith(c, unavailableResponse())
    c.set('sale', { saleId, facts: known.facts })
    c.env.asked = { saleId, demand: memory.demand }
    return next()
  })
}

const missing: Known = { kind: 'unknown-sale' }
const cannotSay: Known = { kind: 'unavailable' }

/** A promise only when the store must be read. `unknown-sale` is certain. */
function findSale(memory: Memory, saleId: SaleId, now: number): Known | Promise<Known> {
  if (!memory.flags.hasSeen(saleId)) return findUnseen(memory, saleId, now)
  // A closed sale, or one that is gone from the store, may have been deleted: the filter knows.
  return onceKnown(memory.flags.get(saleId), (known) => {
    if (known.kind !== 'sale') return findUnseen(memory, saleId, now)
    return known.facts.flag === 'closed' ? findUnseen(memory, saleId, now, quietMs) : known
  })
}

/** The first look is at lists at most `withinMs` old, by default one second. */
function findUnseen(memory: Memory, saleId: SaleId, now: number, withinMs?: number): Known | Promise<Known> {
  const denies = ({ saleFilter }: ListsSnapshot) => saleFilter?.mayHold(saleId) === false
  const judge = (lists: ListsSnapshot) => (denies(lists) ? missing : lookUp(memory, saleId, now))
  const lists = memory.lists.get(withinMs)
  if (lists instanceof Promise) return lists.then(judge)
  if (!denies(lists)) return lookUp(memory, saleId, now)
  // It may be the newest sale, which only a newer filter holds.
  return onceKnown(memory.lists.get(maxFilterAgeMs), judge)
}

function lookUp(memory: Memory, saleId: SaleId, now: number): Known | Promise<Known> {
  const { flags, failedLookups } = memory
  if (failedLookups.waitSeconds('', lookupsPerSecond, now) > 0) return lookUpListed(memory, saleId)
  const known = flags.get(saleId)
  if (!(known instanceof Promise)) return certain(known)
  // Counted before the answer arrives, or many requests could read at once.
  failedLookups.add('', 1, lookupsPerSecond, now)
  return known.then((answer) => {
    if (answer.kind === 'sale') failedLookups.add('', -1, lookupsPerSecond, now)
    return certain(answer)
  })
}

async function lookUpListed({ flags, lists }: Memory, saleId: SaleId): Promise<Known> {
  const published = await lists.publishedSales()
  if (published === undefined) return cannotSay
  return published.has(saleId) ? certain(await flags.get(saleId)) : missing
}

/** A sale that is absent from the store alone may have been lost there. */
const certain = (known: Known): Known => (known.kind === 'sale' ? known : cannotSay)
