/**
 * All that the shop holds of one person, and its erasure: for the shopper, and for staff who is asked by one.
 * Regulation (EU) 2016/679 (GDPR), Art. 15 (access), 17 (erasure), 20 (a copy that programs read); Personal Information
 * Protection Law of the PRC, Art. 45 and 47. Times are epoch ms, amounts in minor units.
 */
import * as z from 'zod/mini'
import { parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { optionPersonParts } from '../options.ts'
import type { FullOperation } from './operation.ts'
import { changeProblems } from './problem-sets.ts'

/** The subjects of the data, in the order of the export. */
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
 * Why an item outlives an erasure. `booking`: it proves a payment. `claims`: units were given for it, and claims from
 * that have not lapsed. `running-sale`: its sale is not archived yet. `protection`: the shop has blocked the shopper.
 */
const keptReasons = ['booking', 'claims', 'running-sale', 'protection'] as const
export type KeptReason = (typeof keptReasons)[number]

const shopperId = readBy(parseShopperId, 'must be a shopper id')
const part = z.enum(personalParts)
const partCount = z.object({ part, count: z.number() })

/** `until` is when an erasure takes it as well; null where no date is known. */
const kept = z.readonly(
  z.array(z.object({ part, count: z.number(), reason: z.enum(keptReasons), until: z.nullable(z.number()) })),
)

/** `open` are the orders that an erasure waits for; `kept` is what it would leave. */
export const personData = z.object({
  shopperId,
  at: z.number(),
  parts: z.readonly(z.array(z.object({ part, items: z.readonly(z.array(z.record(z.string(), z.unknown()))) }))),
  kept,
  open: z.readonly(z.array(z.string())),
})
export type PersonData = z.infer<typeof personData>

/** `erased` is empty where an earlier call has erased everything. */
export const erasedPerson = z.object({ erased: z.readonly(z.array(partCount)), kept })
export type ErasedPerson = z.infer<typeof erasedPerson>

/** Whom the staff means. A body, because an access log keeps addresses. */
export const personRequest = z.strictObject({ shopperId }, 'must be a JSON object with shopperId')

const own = { path: '/api/me' } as const

export const ownDataApi = {
  getOwnData: { ...own, method: 'GET', answer: personData, problems: changeProblems },
  /** Erased data cannot come back, so the query confirms the call. */
  eraseOwnData: {
    ...own,
    method: 'DELETE',
    query: z.strictObject({ confirm: z.literal('yes', 'must be yes: what is erased cannot come back') }),
    answer: erasedPerson,
    problems: [...changeProblems, 'conflict'],
  },
} as const satisfies Record<string, FullOperation>
