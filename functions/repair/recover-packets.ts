/**
 * Recovers a frozen sale of red packets: the table knows which shopper has which packet, the seed
 * gives the amounts of all others. Claims that Redis still knows are credited first, so that every
 * shopper who was answered 200 keeps the packet. Then all packets are removed and loaded again.
 * Packets that a claim on its way may have are held back (held-packets.ts).
 */
import { hasEnded, type Sale } from '../../core/sale.ts'
import { restoreAllClaims } from '../../redis/claims.ts'
import { clearPackets, countPackets } from '../../redis/packets.ts'
import { loadSalePackets, packetsUpTo } from '../sales/load-packets.ts'
import { type CreditedByShopper, creditMissing, creditOutbox, readCredited } from './claims.ts'
import { handedOutBelow } from './held-packets.ts'
import type { RepairPorts } from './ports.ts'

const pollMs = 250

/**
 * Resolves with the claims that stand, each an order of one unit; undefined when a claim that only
 * Redis knows could not be credited before `deadline` (epoch ms).
 * @throws when a part is unavailable, when Redis loses the sale again, and when `signal` is aborted
 */
export async function recoverPackets(
  ports: RepairPorts,
  sale: Sale,
  deadline: number,
  signal: AbortSignal,
): Promise<{ orders: number; units: number } | undefined> {
  const { clock } = ports
  const { saleId } = sale
  const listed = await creditAll(ports, sale, deadline, signal)
  if (listed === undefined) return undefined
  const claimed = new Set([...listed.values()].map(({ packet }) => packet))
  const known = { claimed, handedOutBelow: await handedOutBelow(ports, sale, listed) }
  signal.throwIfAborted()
  if ((await clearPackets(ports.stock, saleId)) !== 'cleared') throw lostAgain(sale)
  if ((await restoreAllClaims(ports.stock, saleId, [...listed.values()])) === undefined) throw lostAgain(sale)
  signal.throwIfAborted()
  await loadSalePackets(ports, sale, known)
  const counts = await countPackets(ports.stock, saleId)
  if (counts === undefined) throw lostAgain(sale)
  // An earlier run that stalled, or a late call of it, may have written to the same packets.
  const isWhole =
    hasEnded(sale, clock()) || counts.waiting + counts.heldBack === packetsUpTo(sale) - listed.size
  if (counts.claims !== listed.size || !isWhole) return undefined
  return { orders: listed.size, units: listed.size }
}

/**
 * All claims of the table, once it has every claim that Redis knows, unsent ones included: those
 * are about to be removed. While claims keep arriving the list is never complete, and need not be:
 * a packet whose claim is missing is held back.
 */
async function creditAll(
  ports: RepairPorts,
  sale: Sale,
  deadline: number,
  signal: AbortSignal,
): Promise<CreditedByShopper | undefined> {
  const { saleOrders, clock, sleep } = ports
  for (;;) {
    signal.throwIfAborted()
    const { waiting } = await creditOutbox(ports, sale, 0, deadline)
    const before = await readCredited(ports, sale.saleId, deadline)
    const found = before && (await creditMissing(ports, sale, before, 0, deadline))
    const orders = found && (await saleOrders.totals(sale.saleId))?.orders
    const listed = found && (await readCredited(ports, sale.saleId, deadline))
    if (found === undefined || listed === undefined) return undefined
    const isKnown = waiting === 0 && found.left === 0
    const ordersAfter = (await saleOrders.totals(sale.saleId))?.orders
    if (isKnown && (ordersAfter === listed.size || ordersAfter !== orders)) return listed
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

const lostAgain = ({ saleId }: Sale) => new Error(`Redis lost the frozen stock of ${saleId} again`)
