/**
 * What a shop publishes of a draw, in memory: files that never change, or only grow. And the beacon, whose rounds may come late.
 */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { openEnvironments, type Simulation } from '../../../proof/simulation/engine/simulation.ts'
import { stepper } from '../../../proof/simulation/engine/step.ts'
import { limitMs, longLimitMs } from '../../../proof/simulation/functions.ts'
import type { OptionParts } from '../../../proof/simulation/option.ts'
import { longestSkewMs } from '../../../proof/simulation/shared-ports.ts'
import type { World } from '../../../proof/simulation/world.ts'
import { type DrawBeacon, localBeacon } from '../core/beacon.ts'
import { rulesFile, timeOfRound } from '../core/rules.ts'
import type { FilesOfDraw } from '../functions/draw-of-sale.ts'
import { allOffers, ensureDrawKeys } from '../functions/table.ts'

/** `files` are those of the sale by their paths; a round comes `lateMs` after its time. */
type SimulatedDraws = {
  files: ReadonlyMap<string, Uint8Array>
  filesOf: FilesOfDraw
  beacon: DrawBeacon
  lateMs: number
}

const always = Number.POSITIVE_INFINITY
const local = localBeacon({ seed: new Uint8Array(48).fill(7), period: 3, genesis: 1_700_000_000, clock: () => always })

/** Each round is signed once in a process: that takes longer than most of a sale. */
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
    // A reader begins with the rules, and finds nothing before they are there.
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
        unanswered: late,
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

/** The functions of a draw, wired as their handlers wire them. */
function wireDrawFunctions({ simulation, outside, shared }: OptionParts, { filesOf, beacon }: SimulatedDraws) {
  return {
    draws: openEnvironments(simulation, 'draws', longLimitMs, () => ({ ...shared.maintenance(), filesOf, beacon })),
    entries: openEnvironments(simulation, 'entries', limitMs, () => ({
      ...{ table: outside.table.table, filesOf },
      ...shared.common(),
    })),
  }
}

/** What a run has read of a file before it writes it. */
type Seen = Uint8Array | undefined | 'unread'

const isLonger = (before: Uint8Array, after: Uint8Array) =>
  Buffer.compare(before, after.subarray(0, before.length)) === 0

const late = (why: string) => ({ kind: 'late' as const, reasons: [why] })

/** Keeps them before the draw of the sale makes its own. */
export async function storeDrawKeys(table: Table, saleId: SaleId, seed: number): Promise<void> {
  const secret = sha256(new TextEncoder().encode(`draw ${seed}`))
  const point = p256.getPublicKey(secret, false)
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const [x, y, d] = [part(point.subarray(1, 33)), part(point.subarray(33)), part(secret)]
  await ensureDrawKeys(table, saleId, async () => ({ ids: secret, signing: { kty: 'EC', crv: 'P-256', x, y, d } }))
}

/** What the last receipt of an entrant says: `unsure` where a change since then has none. */
type Standing = 'in' | 'out' | 'unsure'

type EntryRecord = {
  /** Those who asked to enter, also without an answer. */
  entrants: Map<ShopperId, Standing>
  /** Also those of answers that were lost. */
  receipts: Set<string>
  /** Those whom the gate let in by the list of the sale. */
  admitted: Set<ShopperId>
  /** The gate lets a shopper in by the list of the sale, having looked at it at `askedAt` (epoch ms) or before. */
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
      if (offer?.endedAt !== undefined && offer.endedAt < askedAt - longestSkewMs)
        violated(`${shopperId} was let in on an offer that had ended`)
    },
  }
}
