/**
 * The scheduled side of the draws of sales. Each is brought from one phase to the next when its time has come: the
 * rules are published, the signed list follows after the close, the round of the beacon decides, and offers are updated
 * until the sale ends (update-offers.ts). Every step is safe to repeat, so a run that is cut off is finished by the
 * next one. What writes holds the lock of the sale.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import type { SaleId } from '../../../core/ids.ts'
import { setBounded } from '../../../core/lib/bounded-map.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { type LockPorts, withLock } from '../../../functions/lib/lock.ts'
import type { Shop, Table } from '../../../functions/lib/shop/shop.ts'
import { errorFacts } from '../../../functions/lib/telemetry.ts'
import { makeListKey } from '../../../functions/table/sale/invited.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { type DrawBeacon, verifyRound } from '../core/beacon.ts'
import type { VerifyRound } from '../core/check-draw.ts'
import type { SaleDraw } from '../core/fields.ts'
import { recordOf } from '../core/list.ts'
import { roundOfDraw, timeOfRound } from '../core/rules.ts'
import {
  closeDraw,
  type DrawPorts,
  decideDraw,
  type FilesOfDraw,
  openDraw,
  openKeys,
  settleMs,
  writeRanks,
  writtenUntil,
} from './draw-of-sale.ts'
import { type DrawState, entryPages, listedDraws, readDrawState, saveDrawState, unlistDraw } from './table.ts'
import { type OffersMemo, updateOffers } from './update-offers.ts'

type AdvanceDrawsPorts = LockPorts &
  Pick<Shop, 'table' | 'stock' | 'clock' | 'meter' | 'log'> & { filesOf: FilesOfDraw; beacon: DrawBeacon }

/** A round is asked for again after this, and counts as late after that. */
const beaconPauseMs = 3000
const beaconLateMs = 60_000

/** At least between two looks at a draw. */
const lookMs = 1000

/**
 * Advances each draw by itself, so that none waits for another, until `until` (epoch ms) or until nothing of it is due
 * before. The failure of one is logged and stops no other.
 * @throws when the draws cannot be listed
 */
export async function advanceDraws(ports: AdvanceDrawsPorts, until: number): Promise<void> {
  const saleIds = await listedDraws(ports.table)
  await Promise.all(saleIds.map((saleId) => advanceUntil(ports, saleId, until)))
}

async function advanceUntil(ports: AdvanceDrawsPorts, saleId: SaleId, until: number): Promise<void> {
  const memo: OffersMemo = {}
  for (;;) {
    const next = await advanceOrReport(ports, saleId, memo)
    const wait = Math.max(next - ports.clock(), lookMs)
    if (ports.clock() + wait > until) return
    await ports.sleep(Math.min(wait, 10 * lookMs))
  }
}

async function advanceOrReport(ports: AdvanceDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  try {
    return await advanceDraw(ports, saleId, memo)
  } catch (error) {
    // The state may be half of a step that failed.
    for (const name of Object.keys(memo)) delete memo[name as keyof OffersMemo]
    ports.meter.count('DrawFailed')
    ports.log.warn('draw not advanced', { saleId, ...errorFacts(error) })
    return ports.clock() + lookMs
  }
}

const never = Number.POSITIVE_INFINITY

/** When to look again, epoch ms. */
async function advanceDraw(ports: AdvanceDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  const { table, clock } = ports
  const sale = (await findSale(table, saleId))?.sale
  const draw = sale?.draw
  if (sale === undefined || draw === undefined || sale.archivedAt !== undefined || hasEnded(sale, clock())) {
    await unlistDraw(table, saleId)
    return never
  }
  const state = await readDrawState(table, saleId)
  const drawing = { ...ports, sale, draw, state }
  switch (state?.phase) {
    case undefined:
      return publishRules(drawing)
    case 'open':
      return close({ ...drawing, state })
    case 'closed':
      return decide({ ...drawing, state })
    case 'decided':
      return updateOffers(ports, sale, await drawPorts(drawing), memo)
    case 'void':
      ports.meter.count('ListMissing')
      return never
  }
}

const verified = new Map<string, ReturnType<VerifyRound>>()

/** Remembers rounds: every run reads its draws anew, and a pairing takes longer than all the rest. */
export const verifyOnce: VerifyRound = (chain, round, signature) => {
  const question = `${chain.hash} ${chain.publicKey} ${round} ${signature}`
  if (!verified.has(question)) setBounded(verified, question, verifyRound(chain, round, signature), 100)
  return verified.get(question)
}

type Drawing = AdvanceDrawsPorts & { sale: Sale; draw: SaleDraw; state: DrawState | undefined }
type Begun = Drawing & { state: DrawState }

async function drawPorts(
  { table, clock, filesOf, sale: { saleId } }: Drawing,
  signal?: AbortSignal,
): Promise<DrawPorts> {
  const files = signal === undefined ? filesOf(saleId) : writtenUntil(signal, filesOf(saleId))
  const { sign } = await openKeys(table, saleId)
  return { files, sign, clock, verifyRound: verifyOnce }
}

/** Runs a step that writes, unless another run has the lock or has done it. */
async function alone(ports: Drawing, step: (draw: DrawPorts) => Promise<void>): Promise<number> {
  const { table, clock, sale, state } = ports
  await withLock(ports, sale.saleId, async (signal) => {
    const present = await readDrawState(table, sale.saleId)
    if (present?.phase === state?.phase) await step(await drawPorts(ports, signal))
  })
  return clock()
}

async function publishRules(ports: Drawing): Promise<number> {
  const { table, clock, sale, draw, beacon, meter, log } = ports
  const { saleId, stock, variants } = sale
  const { opensAt, closesAt, commitSeconds, claimSeconds: claimWindowSeconds } = draw
  if (!sale.warmed) return never
  if (clock() >= closesAt) {
    meter.count('ListMissing')
    log.error('a draw was not opened before its close', { saleId })
    return never
  }
  return alone(ports, async (files) => {
    const { chain } = beacon
    const { publicKey: key } = await openKeys(table, saleId)
    const round = roundOfDraw({ closesAt, commitSeconds, beacon: chain })
    const units = variants?.map((variant) => ({ id: variant.id, units: variant.stock })) ?? [{ units: stock }]
    const times = { opensAt, closesAt, commitSeconds, round, claimWindowSeconds }
    const rulesHash = await openDraw(files, { version: 1, sale: saleId, ...times, beacon: chain, variants: units, key })
    await makeListKey(table, saleId)
    await saveDrawState(table, saleId, {
      phase: 'open',
      opensAt,
      closesAt,
      rulesHash,
      round,
      roundAt: timeOfRound(chain, round),
      ...(variants && { variants: variants.map(({ id }) => id) }),
    })
    log.info('draw opened', { saleId, round })
  })
}

/** Publishes the list once no entry with a receipt can be missing in it. */
async function close(ports: Begun): Promise<number> {
  const { table, clock, sale, state, log, meter } = ports
  const { saleId } = sale
  if (clock() < state.closesAt + settleMs) return state.closesAt + settleMs
  return alone(ports, async (draw) => {
    const list = await closeDraw(draw, () => recordsOf(table, saleId))
    if (list === undefined) {
      meter.count('ListMissing')
      log.error('the list of a draw came too late, so the draw is void', { saleId })
      await saveDrawState(table, saleId, { ...state, phase: 'void' })
      return
    }
    await saveDrawState(table, saleId, { ...state, phase: 'closed' })
    log.info('draw closed', { saleId, records: list.count })
  })
}

async function recordsOf(table: Table, saleId: SaleId): Promise<Uint8Array[]> {
  const records: Uint8Array[] = []
  for await (const page of entryPages(table, saleId)) {
    for (const { id, changes: change, variant } of page) records.push(recordOf({ id: hexToBytes(id), change, variant }))
  }
  return records
}

async function decide(ports: Begun): Promise<number> {
  const { table, clock, beacon, sale, state, meter, log } = ports
  const { round, roundAt: due } = state
  if (clock() < due) return due
  const answer = await beacon.round(round)
  if (answer.kind === 'late') {
    if (clock() > due + beaconLateMs) meter.count('BeaconLate')
    log.warn('the round of a draw is late', { saleId: sale.saleId, reasons: answer.reasons.join('; ') })
    return clock() + beaconPauseMs
  }
  return alone(ports, async (draw) => {
    const { list, queues, allocation } = await decideDraw(draw, answer)
    const rankDigits = await writeRanks(draw.files, list, queues)
    const counts = queues.map(({ length }) => length)
    await saveDrawState(table, sale.saleId, { ...state, phase: 'decided', queues: counts, rankDigits })
    log.info('draw decided', { saleId: sale.saleId, offers: allocation.holds.size })
  })
}
