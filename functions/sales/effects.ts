/**
 * Makes the world match a sale. The sale in the table is the truth; Redis, the gate and the public objects
 * follow, in this order, and every step may be repeated. So one function serves every change, and calling any
 * action again, or the scheduled repair, makes good what a crash left half done.
 *
 *   1 stock      the script refuses or accepts by the new state before anyone is told of it; packets are there before
 *   2 gate       every edge learns of it within a second; nobody has a new token yet, so nobody is let in early
 *   3 catalogue  the gate takes nobody for lost who asks for this sale, before anybody can (B4)
 *   4 countdown  the new version exists before anything names it (C6)
 *   5 pointer    now every waiting page learns of it
 *   6 pages      what is left: texts and pictures
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { WarmSale } from '../../redis/warm.ts'
import { repeatUntilStable } from '../lib/until-stable.ts'
import { type AdmissionPorts, replenish } from './admissions.ts'
import { loadSalePackets, type PacketPorts } from './load-packets.ts'
import type { Gate, Stock } from './ports.ts'
import { type CataloguePorts, publishCatalogue, putInCatalogue } from './publishing/catalogue.ts'
import type { Publisher } from './publishing/publisher.ts'
import { isRolledBack, type RollbackPorts } from './rolled-back.ts'
import type { SaleBook, SaleRecord } from './sale-book.ts'
import type { GateReader, GateSnapshot } from './snapshots.ts'

export type GatePorts = AdmissionPorts & { gate: Pick<Gate, 'set'> }

export type EffectPorts = GatePorts &
  RollbackPorts &
  PacketPorts &
  CataloguePorts & {
    stock: Stock
    gate: Gate
    gateReader: GateReader
    publisher: Publisher
    sleep: (milliseconds: number) => Promise<void>
  }

/**
 * `stock-missing`: the sale should be on and Redis has lost its stock; nothing was opened or published until `recover`
 * has put the stock back.
 */
export type Applied = 'applied' | 'stock-missing'

/** A sale that has lost its stock cannot be opened, but it can be shut, and everybody must learn of that. */
export async function applyEffects(ports: EffectPorts, record: SaleRecord): Promise<Applied> {
  const { stock, publisher } = ports
  const { sale } = record
  if (sale.warmed) {
    if (sale.epoch === 0) await stock.warm(asWarmed(record))
    await loadSalePackets(ports, sale)
    if (sale.epoch > 0 && !(await flip(ports, sale)) && sale.flag === 'on') return 'stock-missing'
    await publishToGate(ports, sale)
  } else {
    // Its page and pointer are public: clicks on it are answered "not started".
    await ports.gate.set(sale, { frozen: false })
  }
  await putInCatalogue(ports, sale.saleId)
  await publisher.countdown(sale)
  await publisher.pointer(sale.saleId)
  await publisher.pages(sale.saleId)
  return 'applied'
}

/** False when there is no stock that may be opened. */
async function flip(ports: EffectPorts, sale: Sale): Promise<boolean> {
  const { stock, stockReader } = ports
  const gate = await gateBefore(ports, sale)
  const there = await stockReader.read(sale.saleId)
  if (there !== undefined && (await isRolledBack(ports, sale, there, gate))) return false
  return (await stock.flip(sale)).kind !== 'unknown-sale'
}

/**
 * What the gate was told before the stock is read. An unavailable gate keeps nobody from shutting a sale, so there it is asked
 * only about a stock that was never opened: that may be a lost one, or one that the start beside us is about to open.
 */
async function gateBefore(
  { stockReader, gateReader }: EffectPorts,
  { saleId, flag }: Sale,
): Promise<GateSnapshot | undefined> {
  if (flag === 'on') return gateReader.read(saleId)
  const stock = await stockReader.read(saleId)
  return stock?.epoch === 0 ? gateReader.read(saleId).catch(() => undefined) : undefined
}

/**
 * Tells the gate of a sale and of the freeze around its stock. A freeze may go up or down meanwhile and whoever moved it
 * tells the gate as well, so each looks again after telling: the last to tell is then right. With every look the gate
 * hears how many may come, the first time before it lets anybody try.
 */
export async function publishToGate(ports: GatePorts, sale: Sale): Promise<void> {
  await repeatUntilStable(
    async () => (await replenish(ports, sale.saleId, sale.admissionRatio))?.frozen ?? false,
    (frozen) => ports.gate.set(sale, { frozen }),
  )
}

/**
 * The sale as it may be put on the shelf while nobody can hold units of it: before its first start, or frozen, when
 * what is held was put back first. Units that a change under way will add are left to that change.
 */
export function asWarmed({ sale, pendingStock, finishedStockChanges }: SaleRecord): WarmSale {
  const stillToCome = Math.max(0, pendingStock?.delta ?? 0)
  return { ...sale, stock: sale.stock - stillToCome, lastChange: finishedStockChanges.at(-1)?.number ?? 0 }
}

/**
 * Removes what an archived sale has in Redis: first from the gate, so that no request for it reaches the stock, and from the
 * catalogue, so that the gate knows without asking. Its page stays, the index no longer lists it. May be repeated.
 */
export async function removeArchived(ports: EffectPorts, { saleId }: Sale): Promise<void> {
  const { stock, gate, catalogue, publisher, clock } = ports
  await catalogue.list(saleId, false, clock())
  await publishCatalogue(ports)
  await gate.remove(saleId)
  await stock.remove(saleId)
  await publisher.pages(saleId)
}

/**
 * Removes what a deleted sale left behind. It was never started, so nobody holds anything of it. Its entry in the catalogue goes
 * last: by that entry reconcile finds what a crash left.
 */
export async function removeEffects(ports: EffectPorts, sale: Sale): Promise<void> {
  const { stock, gate, catalogue, publisher, clock } = ports
  await gate.set({ ...sale, flag: 'closed', version: sale.version + 1 }, { frozen: false })
  if (sale.warmed) await stock.remove(sale.saleId)
  await publisher.withdraw(sale.saleId)
  await catalogue.list(sale.saleId, false, clock())
  await publishCatalogue(ports)
}

/** Removes what is left of `saleId` if it was deleted; true when it was. Throws when a part is unavailable. */
export async function finishDeletion(
  ports: EffectPorts & { sales: Pick<SaleBook, 'findDeleted'> },
  saleId: SaleId,
): Promise<boolean> {
  const deleted = await ports.sales.findDeleted(saleId)
  if (deleted === undefined) return false
  await removeEffects(ports, deleted)
  return true
}
