/** What `GET /api/control/health` answers: each part of the system with its last sign of life. */
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { recordNames } from '../lib/record-names.ts'
import { optionWorkers } from '../options.ts'

/** Functions of options, which work when there is work. */
export const workerParts = recordNames(optionWorkers)

/** In the order of a click, then what runs by the clock, and what runs when there is work. */
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

/** `unknown`: nothing says that the part works, and nothing that it does not. */
const healthStates = ['ok', 'late', 'failing', 'unknown'] as const

/**
 * `answers` and `unanswered`: asked for this answer. `worked`: within the hour. `idle`: longer ago, with nothing to do
 * since. `never`: no sign yet. `overdue`: it should have run since. `waiting`: `count` messages wait for it. `failed`:
 * its last run left out `count` pieces of work, or what `names` names. `dead`: `count` messages were given up.
 * `missing`: `count` keys are not there. `unrecorded`: the part leaves no sign.
 */
const healthFindings = [
  ...(['answers', 'unanswered', 'worked', 'idle', 'never', 'overdue'] as const),
  ...(['waiting', 'failed', 'dead', 'missing', 'unrecorded'] as const),
] as const

const partHealth = z.object({
  part: z.enum(healthParts),
  state: z.enum(healthStates),
  /** The last sign of life, epoch ms; null without one. */
  at: z.nullable(z.number()),
  finding: z.enum(healthFindings),
  count: z.number(),
  names: z.readonly(z.array(z.string())),
})

/**
 * What goes wrong with one sale. `waiting`: orders have waited for over two minutes to be written. `given-up`: orders
 * could never be written. `drift`: units in the stock that do not agree with the orders. `rebuilding`: its stock is
 * lost and not rebuilt yet. `unrepaired`: the scheduled repair failed at it. `unpaid`: percent of its payments that
 * failed in the last ten minutes.
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

/** Returns the name under which a sign of life has a trouble of a sale. */
export const troubleName = ({ saleId, trouble, count }: Omit<SaleHealth, 'at'>): string =>
  `${saleId}#${trouble}#${count}`

/** Undefined for a name of another version. */
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
