/**
 * One click, from the request to its result. A lost answer proves nothing: the page looks for the
 * order before it shows a result, and a later click repeats the same key, so the worst case is a
 * repeat and never a second order.
 */
import { holdsUnits } from '../../../core/orders/order.ts'
import type { Basket } from '../../../core/sale/variants.ts'
import { call, type Fetch, type Reply } from '../lib/http.ts'
import { fieldsOf, readStatus } from '../lib/wire.ts'
import { readOrderBriefs } from '../orders/order-brief.ts'
import { lookUpDelayMs, sendClick } from './click-request.ts'
import { beginClick, type PendingClick, pendingClick, type Store, settleClick } from './pending-click.ts'
import { type ClickRefusal, refusalOf, sureRefusal } from './refusal.ts'

/**
 * `unsure`: the look-up of the order was not answered either. `busy`: there is no order, and trying
 * again is safe. `gone`: the click became an order that was cancelled or refused since; the next
 * click uses a new key. `offline`: the device has no connection, and nothing was sent.
 */
export type Outcome =
  | { kind: 'won'; orderId: string; repeat: boolean }
  | { kind: 'gone'; orderId: string }
  | ClickRefusal
  | { kind: 'busy'; retryAfterSeconds: number }
  | { kind: 'unsure' | 'offline' }

/** What a click asks for: `quantity` units, of the variants in `basket` where the sale has some. */
export type Wanted = { quantity: number; basket?: Basket }

/**
 * `seen` is what the page has seen of the sale; `challenge` is the solved one, where the sale asks for
 * it (R5).
 */
type Click = {
  saleId: string
  startToken: string
  seen: string
  wanted: Wanted
  challenge: string | undefined
  key: string
  now: number
}

/**
 * `wait` resolves after `milliseconds`; `random` is from 0 up to 1. `online`: false when the
 * device itself has no connection.
 */
export type ClickPorts = {
  fetch: Fetch
  store: Store
  onChecking: () => void
  wait: (milliseconds: number) => Promise<void>
  random: () => number
  online: () => boolean
}

/** Clocks of browser and shop agree to well within this. */
const clockSlackMs = 3000

/** Sends the click's one request, which stays pending until the answer is definite. */
export async function buy(ports: ClickPorts, click: Click): Promise<Outcome> {
  const { fetch, store } = ports
  const { saleId, startToken, seen, wanted, challenge, key, now } = click
  const { quantity, basket } = wanted
  const { pending, retry } = beginClick(store, saleId, { key, since: now })
  const couldLeave = ports.online()
  const reply = await sendClick(fetch, `/api/sales/${saleId}/orders`, {
    seen,
    body: {
      ...(basket === undefined ? { quantity } : { basket }),
      startToken,
      challenge,
    },
    headers: { 'idempotency-key': pending.key },
  })
  const answered = reply.kind === 'ok' ? outcomeIn(reply) : undefined
  if (answered !== undefined) {
    settleClick(store, saleId)
    return answered
  }
  const refusal = sureRefusal(reply)
  if (refusal !== undefined) {
    // This try was refused for sure. An earlier one under the same key may still have won.
    if (retry) return lookUp(ports, saleId, pending, refusal)
    settleClick(store, saleId)
    return refusal
  }
  if (reply.kind === 'lost' && !couldLeave) {
    if (!retry) settleClick(store, saleId)
    return { kind: 'offline' }
  }
  ports.onChecking()
  await ports.wait(lookUpDelayMs(ports.random()))
  const retryAfterSeconds = reply.kind === 'refused' ? (reply.retryAfterSeconds ?? 0) : 0
  return lookUp(ports, saleId, pending, { kind: 'busy', retryAfterSeconds })
}

/**
 * Looks for the order of a click whose answer was lost, without buying anything; undefined when
 * there is no such click. It stays pending when nothing is found, since its request may still be on
 * the way. A page that is loaded again right after the click looks no sooner than it would have
 * without.
 */
export async function checkPendingClick(
  ports: ClickPorts,
  saleId: string,
  now: number,
): Promise<Outcome | undefined> {
  const pending = pendingClick(ports.store, saleId)
  if (pending === undefined) return undefined
  const delayMs = lookUpDelayMs(ports.random())
  const waitMs = Math.min(delayMs, pending.since + delayMs - now)
  if (waitMs > 0) await ports.wait(waitMs)
  return lookUp(ports, saleId, pending, { kind: 'busy', retryAfterSeconds: 0 })
}

/** Follows the refusal to where it says, else asks for the shopper's orders of the sale. */
async function lookUp(
  ports: ClickPorts,
  saleId: string,
  { since }: PendingClick,
  otherwise: Outcome,
): Promise<Outcome> {
  const { fetch, store } = ports
  const named = otherwise.kind === 'refused' ? otherwise.lookup : undefined
  const reply = await call(fetch, named ?? `/api/orders?sale=${encodeURIComponent(saleId)}`)
  if (reply.kind === 'refused' && reply.problem?.code === 'sign-in-required') return refusalOf(reply)
  const orders = reply.kind === 'ok' ? readOrderBriefs(reply.body) : undefined
  if (orders === undefined) return { kind: 'unsure' }
  const recent = orders.filter((order) => order.reservedAt >= since - clockSlackMs)
  const mine = recent.find(({ status }) => holdsUnits(status)) ?? recent[0]
  if (mine === undefined) return otherwise
  const stands = holdsUnits(mine.status)
  if (!stands && otherwise.kind === 'refused') return otherwise
  settleClick(store, saleId)
  const { orderId } = mine
  return stands ? { kind: 'won', orderId, repeat: false } : { kind: 'gone', orderId }
}

/** A repeat returns the order as it is now: a cancelled one holds no units. */
function outcomeIn({ status: http, body }: Extract<Reply, { kind: 'ok' }>): Outcome | undefined {
  const { orderId, quantity, status: statusText } = fieldsOf(body) ?? {}
  if (typeof orderId !== 'string') return undefined
  const status = readStatus(statusText)
  const gone = quantity === 0 || (status !== undefined && !holdsUnits(status))
  return gone ? { kind: 'gone', orderId } : { kind: 'won', orderId, repeat: http === 200 }
}
