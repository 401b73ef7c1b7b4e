/**
 * `GET /api/changes` and `GET /api/credit`: reads that wait for news, so that a page sees a result soon without asking
 * often. Each answers like the plain read, and only a caller who waits for something is held: the owner of an order, or
 * of a claim.
 */
import { heldApi } from '../../core/api/held-reads.ts'
import { notFound } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { findOwnClaim } from '../orders/own-claim.ts'
import { findOrder, type ListPorts } from '../orders/read-orders.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { findCredit } from '../table/packets/wallets.ts'
import { readWallet, type WalletPorts } from './wallet.ts'

/** A page asks once in five seconds, so at most two of them pass between a hold and the next request. */
export const holdMs = 3400

/** Between two reads of the table, which cost a read unit each. */
const stepMs = 500

/** Without `holds` every read answers at once. `sleep` resolves after so many milliseconds. */
type HeldReadPorts = ListPorts & WalletPorts & { holds: boolean; sleep: (milliseconds: number) => Promise<void> }

const routes = [
  on(heldApi.awaitOrder, async (ports: HeldReadPorts, { caller: { shopperId }, query: { order, after } }) => {
    const find = () => findOrder(ports, shopperId, order)
    const seen = await find()
    if (seen === undefined) return notFound()
    if (seen.history.length > after) return seen
    const hasChanged = async () => {
      const written = await findWrittenOrder(ports.table, order)
      return written !== undefined && written.history.length > after
    }
    return (await becomes(hasChanged, ports)) ? ((await find()) ?? notFound()) : seen
  }),
  on(heldApi.awaitCredit, async (ports: HeldReadPorts, { caller: { shopperId }, query: { sale } }) => {
    let credit = await findCredit(ports.table, shopperId, sale)
    const isCredited = async () => {
      credit = await findCredit(ports.table, shopperId, sale)
      return credit !== undefined
    }
    if (credit === undefined) {
      const found = await findOwnClaim(ports, shopperId, sale)
      if (found.kind === 'unknown-sale') return notFound()
      if (found.kind === 'known' && found.packet !== null) await becomes(isCredited, ports)
    }
    return readWallet(ports, shopperId, { all: false, credit })
  }),
]

/** Looks every half second whether `isTrue`, until the hold is over. */
async function becomes(
  isTrue: () => Promise<boolean>,
  { holds, clock, sleep }: Pick<HeldReadPorts, 'holds' | 'clock' | 'sleep'>,
): Promise<boolean> {
  const until = clock() + (holds ? holdMs : 0) - stepMs
  while (clock() <= until) {
    await sleep(stepMs)
    if (await isTrue()) return true
  }
  return false
}

/** Answers reads that wait. */
export const heldReadsApp = (ports: HeldReadPorts) => createApp(ports, routes, forShoppers)
