/**
 * The scheduled side of the draws of sales. Each is brought from one phase to the next when its time has come: the rules
 * are published, heads follow while entries are open, the closing head commits to the list, the round of the beacon
 * decides, and offers are tended until the sale ends (tend-offers.ts). Every step is safe to repeat, so a run that is cut
 * off is finished by the next one. What writes holds the lock of the sale.
 */
import type { DrawBeacon } from '../../../core/draw/beacon.ts'
import { bytesOfHex } from '../../../core/draw/bytes.ts'
import { timeOfRound } from '../../../core/draw/chain.ts'
import { type RecordList, recordsWithId, sortRecords } from '../../../core/draw/record.ts'
import { lastHeadAt } from '../../../core/draw/rules.ts'
import type { SaleId } from '../../../core/ids.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { drawOf, headsEveryMs, type SaleDraw } from '../../../core/sale/sale-draw.ts'
import { type LockPorts, withLock } from '../../lib/lock.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import type { Table } from '../../lib/shop/table.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { type DrawState, listedDraws, readDrawState, saveDrawState, unlistDraw } from '../../table/draw/draws.ts'
import { entryPages } from '../../table/draw/entries.ts'
import { findSale } from '../../table/sale/sales.ts'
import { type FilesOfDraw, newOfferKey, openKeys, rulesOf } from './draw-of-sale.ts'
import { earlierOf, writeTries } from './draw-series.ts'
import { settleMs } from './entries.ts'
import { addRecords, closeDraw, type DrawPorts, decideDraw, openDraw, readDraw, readRecords } from './keep-draw.ts'
import { writeRanks } from './ranks.ts'
import { type OffersMemo, tendOffers } from './tend-offers.ts'
import { verifyOnce } from './verify-once.ts'

type TendDrawsPorts = LockPorts &
  Pick<Shop, 'table' | 'stock' | 'clock' | 'meter' | 'log'> & { filesOf: FilesOfDraw; beacon: DrawBeacon }

/** A round is asked for again after this, and counts as late after that. */
const beaconPauseMs = 3000
const beaconLateMs = 60_000

/** Between two looks at draws of which one is due within the run. */
const lookMs = 1000

/**
 * Looks at all draws, again every second while one is due before `until` (epoch ms). The failure of one is logged and
 * stops no other.
 * @throws when the draws cannot be listed
 */
export async function tendDraws(ports: TendDrawsPorts, until: number): Promise<void> {
  const memos = new Map<SaleId, OffersMemo>()
  for (;;) {
    let next = Number.POSITIVE_INFINITY
    for (const saleId of await listedDraws(ports.table)) {
      const memo = memos.get(saleId) ?? {}
      memos.set(saleId, memo)
      next = Math.min(next, await tendOrReport(ports, saleId, memo))
    }
    const wait = Math.max(next - ports.clock(), lookMs)
    if (ports.clock() + wait > until) return
    await ports.sleep(Math.min(wait, 10 * lookMs))
  }
}

async function tendOrReport(ports: TendDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  try {
    return await tendDraw(ports, saleId, memo)
  } catch (error) {
    // The state may be half of a step that failed.
    for (const name of Object.keys(memo)) delete memo[name as keyof OffersMemo]
    ports.meter.count('DrawFailed')
    ports.log.error('draw not tended', { saleId, ...errorFacts(error) })
    return ports.clock() + lookMs
  }
}

const never = Number.POSITIVE_INFINITY

/** When to look again, epoch ms. */
async function tendDraw(ports: TendDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  const { table, clock } = ports
  const sale = (await findSale(table, saleId))?.sale
  const draw = sale && drawOf(sale)
  const isOver = sale?.archivedAt !== undefined || sale?.standbyOver === true
  if (sale === undefined || draw === undefined || isOver || hasEnded(sale, clock())) {
    await unlistDraw(table, saleId)
    return never
  }
  const state = await readDrawState(table, saleId)
  const drawing = { ...ports, sale, draw, state }
  switch (state?.phase) {
    case undefined:
      return publishRules(drawing)
    case 'open':
      return keepHeads({ ...drawing, state })
    case 'closed':
      return decide({ ...drawing, state })
    case 'decided':
      return tendOffers(ports, sale, await drawPorts(drawing), memo)
    case 'void':
      ports.meter.count('HeadMissing')
      return never
  }
}

type Drawing = TendDrawsPorts & { sale: Sale; draw: SaleDraw; state: DrawState | undefined }
type Begun = Drawing & { state: DrawState }

async function drawPorts(
  { table, clock, filesOf, sale: { saleId }, draw: { series } }: Drawing,
  signal?: AbortSignal,
): Promise<DrawPorts> {
  const files = filesOf(saleId)
  const { sign } = await openKeys(table, saleId, series)
  return {
    files: {
      read: files.read,
      // Another run may hold the lock by now, and must be the only one to write.
      write: async (path, bytes) => {
        signal?.throwIfAborted()
        await files.write(path, bytes)
      },
    },
    ...{ sign, clock, verifyRound: verifyOnce },
  }
}

/** Runs a step that writes, unless another run has the lock or has done it. */
async function alone(
  ports: Drawing,
  step: (draw: DrawPorts, state: DrawState | undefined) => Promise<void>,
): Promise<number> {
  const { table, clock, sale, state } = ports
  await withLock(ports, sale.saleId, async (signal) => {
    const present = await readDrawState(table, sale.saleId)
    if (present?.phase !== state?.phase || present?.headAt !== state?.headAt) return
    await step(await drawPorts(ports, signal), present)
  })
  return clock()
}

async function publishRules(ports: Drawing): Promise<number> {
  const { table, clock, sale, draw, beacon, meter, log } = ports
  if (!sale.warmed) return never
  if (clock() >= draw.closesAt) {
    meter.count('HeadMissing')
    log.error('a draw was not opened before its close', { saleId: sale.saleId })
    return never
  }
  return alone(ports, async (files) => {
    const { publicKey: key } = await openKeys(table, sale.saleId, draw.series)
    const earlier = await earlierOf(ports, sale.saleId, draw)
    const rules = rulesOf(sale, draw, { beacon: beacon.chain, earlier, key })
    await openDraw(files, rules)
    const { last } = await readDraw(files)
    const tryDigits = await writeTries(files.files, rules, verifyOnce)
    const { opensAt, closesAt, mostInGroup } = draw
    await saveDrawState(table, sale.saleId, {
      ...{ phase: 'open', opensAt, closesAt, mostInGroup },
      ...(sale.variants && { variants: sale.variants.map(({ id }) => id) }),
      ...(tryDigits !== undefined && { tryDigits }),
      ...(sale.standby && { isStandby: true }),
      ...{
        offerKey: newOfferKey(),
        rulesHash: last.rules,
        round: rules.round,
        roundAt: timeOfRound(rules.beacon, rules.round),
        entrants: 0,
        headAt: last.at,
      },
    })
    log.info('draw opened', { saleId: sale.saleId, round: rules.round })
  })
}

async function keepHeads(ports: Begun): Promise<number> {
  const { clock, state, draw: terms } = ports
  const { opensAt, closesAt, headAt } = state
  const every = headsEveryMs(terms)
  const now = clock()
  if (now >= closesAt) return now < closesAt + settleMs ? closesAt + settleMs : close(ports)
  const due = Math.max(opensAt, headAt + every)
  if (now >= due) {
    if (now > due + every) ports.meter.count('HeadMissing')
    return alone(ports, async (draw) => {
      const published = await readDraw(draw)
      const list = await readRecords(draw, published)
      const head = await addRecords(draw, await newRecords(ports.table, ports.sale.saleId, list), published)
      await noteHead(ports, draw, { phase: 'open', headAt: head.at })
    })
  }
  return Math.min(due, closesAt + settleMs)
}

async function close(ports: Begun): Promise<number> {
  const { table, clock, sale, state, log, meter } = ports
  return alone(ports, async (draw) => {
    const published = await readDraw(draw)
    if (!published.isClosed && clock() > lastHeadAt(published.rules)) {
      meter.count('HeadMissing')
      log.error('the list of a draw came too late, so the draw is void', { saleId: sale.saleId })
      await saveDrawState(table, sale.saleId, { ...state, phase: 'void' })
      return
    }
    const list = await readRecords(draw, published)
    const records = published.isClosed ? [] : await newRecords(table, sale.saleId, list)
    const { at, count } = await closeDraw(draw, records, published)
    await noteHead(ports, draw, { phase: 'closed', headAt: at })
    log.info('draw closed', { saleId: sale.saleId, records: count })
  })
}

/** The records of all changes that are not in the list yet: it has those of each entrant in their order. */
async function newRecords(table: Table, saleId: SaleId, list: RecordList): Promise<Uint8Array[]> {
  const sorted = sortRecords(list)
  const fresh: Uint8Array[] = []
  for await (const page of entryPages(table, saleId)) {
    for (const { id, changes } of page) {
      const listed = recordsWithId(sorted, bytesOfHex(id)).length
      for (const { record } of changes.slice(listed)) fresh.push(record)
    }
  }
  return fresh
}

async function noteHead(
  { table, sale, state }: Begun,
  draw: DrawPorts,
  next: Pick<DrawState, 'phase' | 'headAt'>,
): Promise<void> {
  const { standing } = sortRecords(await readRecords(draw, await readDraw(draw)))
  await saveDrawState(table, sale.saleId, { ...state, ...next, entrants: standing.length })
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
    const { decided } = await decideDraw(draw, answer)
    const { ranking, records, allocation, offers } = decided
    const rankDigits = await writeRanks(draw.files, ranking, records.standing)
    await saveDrawState(table, sale.saleId, {
      ...{ ...state, phase: 'decided', parties: ranking.byRank.length, rankDigits },
      ...{ offers: offers.length, threshold: allocation.threshold() },
    })
    log.info('draw decided', { saleId: sale.saleId, offers: offers.length })
  })
}
