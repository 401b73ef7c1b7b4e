/**
 * Simulates the published files of a draw in memory, which never change or only grow, and the beacon, whose rounds may be late.
 */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { openEnvironments, type Simulation } from '../../../proof/simulation/engine/simulation.ts'
import { stepper } from '../../../proof/simulation/engine/step.ts'
import { limitMs, longLimitMs } from '../../../proof/simulation/functions.ts'
import type { OptionParts } from '../../../proof/simulation/option.ts'
import { maxSkewMs } from '../../../proof/simulation/shared-ports.ts'
import type { World } from '../../../proof/simulation/world.ts'
import { type DrawBeacon, localBeacon } from '../core/beacon.ts'
import { rulesFile, timeOfRound } from '../core/rules.ts'
import type { FilesOfDraw } from '../functions/draw-of-sale.ts'
import { allOffers, ensureDrawKeys } from '../functions/table.ts'

/** `files` has the files of the sale by their paths; a round is published `lateMs` after its time. */
type SimulatedDraws = {
  files: ReadonlyMap<string, Uint8Array>
  filesOf: FilesOfDraw
  beacon: DrawBeacon
  lateMs: number
}

const always = Number.POSITIVE_INFINITY
const local = localBeacon({ seed: new Uint8Array(48).fill(7), period: 3, genesis: 1_700_000_000, clock: () => always })

/** Caches signed rounds in the process: signing one takes longer than most of a sale. */
const rounds = new Map<number, ReturnType<typeof local.round>>()
const signedRound = (round: number) => {
  const signed = rounds.get(round) ?? local.round(round)
  rounds.set(round, signed)
  return signed
}

function simulatedDraws(simulation: Simulation, violated: (what: string) => void): SimulatedDraws {
  const files = new Map<string, Uint8Array>()
  const { call } = stepper(simulation, 'site')
  const read = call('read file', async (path: string) => files.get(path))
  const write = call('write file', async (path: string, bytes: Uint8Array, seen: Seen) => {
    const present = files.get(path)
    const isSame = present === undefined || Buffer.compare(present, bytes) === 0
    if (seen === 'unread' ? !isSame : seen !== present) throw new Error(`${path} was written meanwhile`)
    if (path.endsWith('.json') && !isSame) violated(`${path} was published again, with other bytes (P1)`)
    // A reader starts with the rules, and finds nothing before they are published.
    if (files.has(rulesFile) && path.endsWith('.txt') && present !== undefined && !isLonger(present, bytes))
      violated(`${path} lost lines that were published`)
    files.set(path, bytes)
  })
  const draws: SimulatedDraws = {
    files,
    filesOf: () => {
      const known = new Map<string, Uint8Array | undefined>()
      return {
        async read(path) {
          const bytes = await read(path)
          known.set(path, bytes)
          return bytes
        },
        async write(path, bytes) {
          await write(path, bytes, known.has(path) ? known.get(path) : 'unread')
          known.set(path, bytes)
        },
      }
    },
    beacon: {
      chain: local.chain,
      round: stepper(simulation, 'option beacon').call('round', async (round: number) => answerOf(round), {
        onNoAnswer: late,
      }),
    },
    lateMs: 0,
  }
  const answerOf = async (round: number) =>
    simulation.now() < timeOfRound(local.chain, round) + draws.lateMs ? late('not published yet') : signedRound(round)
  return draws
}

/** A simulated sale with its draw. */
export type DrawWorld = World & PlayedDraw
export type PlayedDraw = {
  draws: SimulatedDraws
  entries: EntryRecord
  drawFunctions: ReturnType<typeof wireDrawFunctions>
}

export function openPlayedDraw(parts: OptionParts): PlayedDraw {
  const { simulation, truth, saleId, violated } = parts
  const draws = simulatedDraws(simulation, violated)
  return {
    draws,
    entries: openEntryRecord(truth.table, saleId, violated),
    drawFunctions: wireDrawFunctions(parts, draws),
  }
}

/** Wires the functions of a draw as their handlers do. */
function wireDrawFunctions({ simulation, outside, shared }: OptionParts, { filesOf, beacon }: SimulatedDraws) {
  return {
    draws: openEnvironments(simulation, 'draws', longLimitMs, () => ({ ...shared.maintenance(), filesOf, beacon })),
    entries: openEnvironments(simulation, 'entries', limitMs, () => ({
      ...{ table: outside.table.table, filesOf },
      ...shared.common(),
    })),
  }
}

/** The content of a file as a run read it before writing, undefined for a missing file. */
type Seen = Uint8Array | undefined | 'unread'

const isLonger = (before: Uint8Array, after: Uint8Array) =>
  Buffer.compare(before, after.subarray(0, before.length)) === 0

const late = (why: string) => ({ kind: 'late' as const, reasons: [why] })

/** Stores deterministic keys before the draw of the sale creates its own. */
export async function storeDrawKeys(table: Table, saleId: SaleId, seed: number): Promise<void> {
  const secret = sha256(new TextEncoder().encode(`draw ${seed}`))
  const point = p256.getPublicKey(secret, false)
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const [x, y, d] = [part(point.subarray(1, 33)), part(point.subarray(33)), part(secret)]
  await ensureDrawKeys(table, saleId, async () => ({ ids: secret, signing: { kty: 'EC', crv: 'P-256', x, y, d } }))
}

/** The state by the entrant's last receipt; `unsure` after a later change without one. */
type Standing = 'in' | 'out' | 'unsure'

type EntryRecord = {
  /** Shoppers who tried to enter, also without an answer. */
  entrants: Map<ShopperId, Standing>
  /** All receipts, also those in lost answers. */
  receipts: Set<string>
  /** Shoppers whom the gate let in by the list of the sale. */
  admitted: Set<ShopperId>
  /** Records that the gate let a shopper in by the list of the sale, as it read it at `askedAt` (epoch ms) or before. */
  letIn: (shopperId: ShopperId, variant: string | undefined, askedAt: number) => Promise<void>
}

function openEntryRecord(table: Table, saleId: SaleId, violated: (what: string) => void): EntryRecord {
  const admitted = new Set<ShopperId>()
  return {
    entrants: new Map(),
    receipts: new Set(),
    admitted,
    async letIn(shopperId, variant, askedAt) {
      admitted.add(shopperId)
      const offer = (await allOffers(table, saleId)).find((one) => one.shopperId === shopperId)
      // A shopper is on the list right before the offer is written.
      if (offer !== undefined && variant !== offer.variant)
        violated(`${shopperId} was let in for ${variant} on an offer of ${offer.variant}`)
      if (offer?.endedAt !== undefined && offer.endedAt < askedAt - maxSkewMs)
        violated(`${shopperId} was let in on an offer that had ended`)
    },
  }
}
