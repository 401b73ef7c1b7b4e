/** What `GET /api/control/health` answers: each part of the system with its last sign of life. */
import * as z from 'zod/mini'

/** In the order of a click, then what runs by the clock, and what runs when there is work. */
export const healthParts = [
  'gate',
  'stock',
  'gate-store',
  'orders-queue',
  'writer',
  'claims-queue',
  'claim-writer',
  'dead-letters',
  'reconcile',
  'tick',
  'canary',
  'pass-keys',
  'edge-store',
  'payments',
  'mail',
  'events',
  'pictures',
] as const

/** `unknown`: nothing says that the part works, and nothing that it does not. */
const healthStates = ['ok', 'late', 'failing', 'unknown'] as const

/**
 * `answers` and `unanswered`: asked for this answer. `worked`: within the hour. `idle`: longer ago, with nothing to do
 * since. `never`: no sign yet. `overdue`: it should have run since. `waiting`: `count` messages wait for it. `failed`: its last
 * run left out `count` pieces of work, or what `names` names. `dead`: `count` messages were given up. `missing`: `count`
 * keys are not there. `unrecorded`: the part leaves no sign.
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

export const systemHealth = z.object({ parts: z.readonly(z.array(partHealth)), now: z.number() })

export type HealthPartName = (typeof healthParts)[number]
export type PartHealth = z.infer<typeof partHealth>
export type SystemHealth = z.infer<typeof systemHealth>
