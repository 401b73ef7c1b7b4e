/** The answer of `GET /api/control/health`: each part of the system with its last heartbeat. */
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { recordNames } from '../lib/record-names.ts'
import { optionWorkers } from '../options.ts'

/** Functions of options, which run only when there is work. */
export const workerParts = recordNames(optionWorkers)

/** In the order of a click, then the scheduled jobs, then the parts that run only when there is work. */
export const healthParts = [
  'gate',
  'stock',
  'gate-store',
  'orders-queue',
  'writer',
  'dead-letters',
  'reconcile',
  'tick',
  'canary',
  'pass-keys',
  'edge-store',
  'payments',
  'mail',
  ...workerParts,
  'pictures',
] as const

/** `unknown`: nothing shows whether the part works. */
const healthStates = ['ok', 'late', 'failing', 'unknown'] as const

/**
 * `answers` and `unanswered`: the result of a request made for this answer. `worked`: within the hour. `idle`: longer ago,
 * with nothing to do since. `never`: no heartbeat yet. `overdue`: it should have run since. `waiting`: `count` messages
 * wait for it. `failed`: its last run skipped `count` items, or those in `names`. `dead`: `count` messages were
 * dead-lettered. `missing`: `count` keys do not exist. `unrecorded`: the part records no heartbeat.
 */
const healthFindings = [
  ...(['answers', 'unanswered', 'worked', 'idle', 'never', 'overdue'] as const),
  ...(['waiting', 'failed', 'dead', 'missing', 'unrecorded'] as const),
] as const

const partHealth = z.object({
  part: z.enum(healthParts),
  state: z.enum(healthStates),
  /** The last heartbeat, epoch ms; null without one. */
  at: z.nullable(z.number()),
  finding: z.enum(healthFindings),
  count: z.number(),
  names: z.readonly(z.array(z.string())),
})

/**
 * The troubles of a sale. `waiting`: orders have waited for over two minutes to be written. `given-up`: orders could never
 * be written. `drift`: the units in the stock do not agree with the orders. `rebuilding`: its stock was lost and is not
 * rebuilt yet. `unrepaired`: its scheduled repair failed. `unpaid`: percent of its payments that failed in the last ten
 * minutes.
 */
const saleTroubles = ['waiting', 'given-up', 'drift', 'rebuilding', 'unrepaired', 'unpaid'] as const
export type SaleTrouble = (typeof saleTroubles)[number]

/** Reported `at`, epoch ms; `count` of orders or units, or percent. */
const saleHealth = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  trouble: z.enum(saleTroubles),
  count: z.number(),
  at: z.number(),
})

/** `sales` has each trouble of a sale that was reported within the last three minutes. */
export const systemHealth = z.object({
  parts: z.readonly(z.array(partHealth)),
  sales: z.readonly(z.array(saleHealth)),
  now: z.number(),
})

/** Returns the name under which a heartbeat records a trouble of a sale. */
export const troubleName = ({ saleId, trouble, count }: Omit<SaleHealth, 'at'>): string =>
  `${saleId}#${trouble}#${count}`

/** Reads a name of `troubleName`; undefined for a name that another version wrote. */
export function readTroubleName(name: string): Omit<SaleHealth, 'at'> | undefined {
  const [id, of, count] = name.split('#')
  const saleId: SaleId | undefined = parseSaleId(id)
  const trouble = saleTroubles.find((known) => known === of)
  if (saleId === undefined || trouble === undefined) return undefined
  return { saleId, trouble, count: Number(count) || 0 }
}

export type HealthPartName = (typeof healthParts)[number]
export type SaleHealth = z.infer<typeof saleHealth>
export type PartHealth = z.infer<typeof partHealth>
export type SystemHealth = z.infer<typeof systemHealth>
