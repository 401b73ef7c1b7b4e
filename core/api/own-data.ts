/**
 * Export and erasure of all data about one person, by the shopper or by staff on request.
 * Regulation (EU) 2016/679 (GDPR), Art. 15 (access), 17 (erasure), 20 (a copy that programs read); Personal Information
 * Protection Law of the PRC, Art. 45 and 47. Times are epoch ms, amounts in minor units.
 */
import * as z from 'zod/mini'
import { parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { optionPersonParts } from '../options.ts'
import type { FullOperation } from './operation.ts'
import { changeProblems } from './problem-sets.ts'

/** In the order of the export. */
export const personalParts = [
  'contact',
  'orders',
  'addresses',
  'mails',
  'wallet',
  'blocks',
  ...optionPersonParts,
  'others',
] as const
export type PersonalPart = (typeof personalParts)[number]

/**
 * Why an erasure keeps an item. `booking`: it proves a payment. `claims`: the shopper got units, and legal claims from
 * that have not lapsed. `running-sale`: its sale is not archived yet. `protection`: the shop has blocked the shopper.
 */
const keptReasons = ['booking', 'claims', 'running-sale', 'protection'] as const
export type KeptReason = (typeof keptReasons)[number]

const shopperId = readBy(parseShopperId, 'must be a shopper id')
const part = z.enum(personalParts)
const partCount = z.object({ part, count: z.number() })

/** `until` is when an erasure removes it too; null if unknown. */
const kept = z.readonly(
  z.array(z.object({ part, count: z.number(), reason: z.enum(keptReasons), until: z.nullable(z.number()) })),
)

/** `open` are the orders that block an erasure; `kept` are the items that it would keep. */
export const personData = z.object({
  shopperId,
  at: z.number(),
  parts: z.readonly(z.array(z.object({ part, items: z.readonly(z.array(z.record(z.string(), z.unknown()))) }))),
  kept,
  open: z.readonly(z.array(z.string())),
})
export type PersonData = z.infer<typeof personData>

/** `erased` is empty if an earlier call has erased everything. */
export const erasedPerson = z.object({ erased: z.readonly(z.array(partCount)), kept })
export type ErasedPerson = z.infer<typeof erasedPerson>

/** A body and no path parameter, because access logs record URLs. */
export const personRequest = z.strictObject({ shopperId }, 'must be a JSON object with shopperId')

const own = { path: '/api/me' } as const

export const ownDataApi = {
  getOwnData: { ...own, method: 'GET', answer: personData, problems: changeProblems },
  /** Erased data cannot be restored, so the query confirms the call. */
  eraseOwnData: {
    ...own,
    method: 'DELETE',
    query: z.strictObject({ confirm: z.literal('yes', 'must be yes: what is erased cannot come back') }),
    answer: erasedPerson,
    problems: [...changeProblems, 'conflict'],
  },
} as const satisfies Record<string, FullOperation>
