/**
 * `GET /api/changes` and `GET /api/credit`: long polling, so that a page sees a result soon with few requests. Each
 * answers like the plain read. Only a caller who waits for a result is held: the owner of an order or of a claim.
 */
import { heldReadsApi } from '../../core/api/held-reads.ts'
import { notFound } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { findOwnClaim } from '../orders/own-claim.ts'
import { findOrderView, type ListPorts } from '../orders/read-orders.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { findCredit } from '../table/packets/wallets.ts'
import { readWallet, type WalletPorts } from './wallet.ts'

/** A page polls every five seconds, so at most two seconds pass between a held read and the next request. */
export const holdMs = 3400

/** The pause between two reads of the table, ms. Each read costs a read unit. */
const pollIntervalMs = 500

/** Without `holds` every read is answered at once. */
type HeldReadPorts = ListPorts & WalletPorts & { holds: boolean; sleep: (milliseconds: number) => Promise<void> }

const routes = [
  on(heldReadsApi.awaitOrder, async (ports: HeldReadPorts, { caller: { shopperId }, query: { order, after } }) => {
    const find = () => findOrderView(ports, shopperId, order)
    const current = await find()
    if (current === undefined) return notFound()
    if (current.history.length > after) return current
    const change = await awaitValue(ports, async () => {
      const written = await findWrittenOrder(ports.table, order)
      return written !== undefined && written.history.length > after ? written : undefined
    })
    return change === undefined ? current : ((await find()) ?? notFound())
  }),
  on(heldReadsApi.awaitCredit, async (ports: HeldReadPorts, { caller: { shopperId }, query: { sale } }) => {
    const find = () => findCredit(ports.table, shopperId, sale)
    const credit = await find()
    if (credit !== undefined) return readWallet(ports, shopperId, { all: false, credit })
    const found = await findOwnClaim(ports, shopperId, sale)
    if (found.kind === 'unknown-sale') return notFound()
    const isWaiting = found.kind === 'known' && found.packet !== null
    return readWallet(ports, shopperId, { all: false, credit: isWaiting ? await awaitValue(ports, find) : undefined })
  }),
]

/** Resolves with the first value that `read` finds. Polls every half second until the time is over. */
async function awaitValue<Value>(
  { holds, clock, sleep }: Pick<HeldReadPorts, 'holds' | 'clock' | 'sleep'>,
  read: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const until = clock() + (holds ? holdMs : 0) - pollIntervalMs
  while (clock() <= until) {
    await sleep(pollIntervalMs)
    const value = await read()
    if (value !== undefined) return value
  }
  return undefined
}

export const heldReadsApp = (ports: HeldReadPorts) => createApp(ports, routes, forShoppers)
