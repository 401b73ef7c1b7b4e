/**
 * `POST /api/sales/{saleId}/orders` buys units, and `/packets` claims a red packet, which is an order of one unit: one
 * script reserves them, then the order message is dispatched. Once the script has succeeded, no later failure may
 * change the answer.
 */
import { purchaseApi } from '../../core/api/purchase.ts'
import { ordersLookup } from '../../core/buy/lookup.ts'
import { purchaseKey } from '../../core/buy/requests.ts'
import { parseIdempotencyKey, parseSaleId } from '../../core/ids.ts'
import { sourceIn } from '../../core/orders/order-message.ts'
import { claimKey } from '../../core/packets/packet.ts'
import { type Reservation, type ReserveRequest, reserveAt } from '../../redis/buy/reserve.ts'
import type { Stocks } from '../../redis/command.ts'
import { shardOf } from '../../redis/shards.ts'
import { invalid } from '../lib/http/answer.ts'
import { type Call, type Caller, createApp, forShoppers, type Middleware, on } from '../lib/http/app.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { answerOfClaim, answerOfPurchase, type Purchased } from './answers.ts'
import {
  type AskScript,
  type Click,
  type CompletePorts,
  dispatch,
  dispatchDecided,
  type OrderSender,
  reporting,
} from './complete-admission.ts'

/** A buy request; `key` is its Idempotency-Key. */
export type WantedPurchase = Omit<ReserveRequest, 'orderId' | 'now' | 'byGate'> & { key?: string | undefined }

export type ReservePorts = { stock: Stocks; queue: OrderSender; clock: () => number } & CompletePorts

/** The metric for each outcome; `Refused` for all others. */
const counts: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

/** What `reporting` gives a purchase: the admission of its click, and how the script is asked. */
export type ClickReport = { admission: Click['admission']; ask: AskScript }

/** @throws RedisUnavailable when the outcome is unknown; the call can be repeated */
export async function purchase(
  ports: ReservePorts,
  { admission, ask }: ClickReport,
  wanted: WantedPurchase,
): Promise<Purchased> {
  const { key, ...rest } = wanted
  const { saleId, requestId } = wanted
  const orderKey = wanted.isClaim ? claimKey : purchaseKey(key, wanted.startToken)
  const orderId = deriveOrderId(saleId, wanted.shopperId, orderKey)
  const reservation = await decide(ports, ask, { ...rest, orderId, now: ports.clock(), byGate: true }).catch(
    (error) => {
      ports.demand.count(saleId, 'unavailable')
      throw error
    },
  )
  ports.demand.count(saleId, reservation.kind)
  ports.meter.count(counts[reservation.kind] ?? 'Refused')
  const facts = { orderId, requestId }
  if (reservation.kind === 'reserved') await dispatchDecided(ports, reservation, admission, facts)
  // The first request may have died before it sent the message, and no promise rests on Redis alone (O4).
  if (reservation.kind === 'repeat' && reservation.message) await dispatch(ports, reservation.message, facts)
  return { orderId, reservation }
}

async function decide({ stock }: ReservePorts, ask: AskScript, purchase: ReserveRequest): Promise<Reservation> {
  const home = await shardOf(stock, purchase.saleId, purchase.shopperId)
  return ask(() => reserveAt(home, purchase))
}

/** The caller of a purchase or claim, with what its answer reports. */
type Buyer = Caller & ClickReport

/** The sale of any path below it, so that a refusal of the path is reported as well. */
function clickIn(path: string, header: string | undefined): Click {
  // Set by the gate, which deletes a client's header of that name.
  const admission = header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
  return { saleId: parseSaleId(path.split('/')[3]), admission }
}

/** Lets only callers in that the gate has named, and reports each request that took nothing, whatever answers it. */
export const forBuyers =
  (ports: CompletePorts): Middleware =>
  (c, next) => {
    const click = clickIn(c.req.path, c.req.header('x-admission'))
    return reporting(ports, click, async (ask) =>
      forShoppers(c, async () => {
        const { admission } = click
        c.set('caller', { ...(c.get('caller') as Caller), admission, ask } satisfies Buyer)
        await next()
      }),
    )
  }

function namesIn({
  caller: { shopperId, requestId },
  params: { saleId },
}: Pick<Call<typeof purchaseApi.buy, Buyer>, 'caller' | 'params'>) {
  return { saleId, shopperId, requestId }
}

const routes = [
  on(purchaseApi.buy, async (ports: ReservePorts, call: Call<typeof purchaseApi.buy, Buyer>) => {
    const header = call.headers['idempotency-key']
    const key = parseIdempotencyKey(header)
    if (header !== undefined && key === undefined)
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 of A-Z a-z 0-9 _ . : -')
    const { quantity, variant, startToken } = call.body
    const source = sourceIn(call.headers.referer)
    const wanted = { ...namesIn(call), key, quantity, variant, source, startToken }
    const purchased = await purchase(ports, call.caller, wanted)
    return answerOfPurchase(ordersLookup(call.params.saleId), purchased, ports.clock())
  }),
  on(purchaseApi.claim, async (ports: ReservePorts, call: Call<typeof purchaseApi.claim, Buyer>) => {
    const wanted = { ...namesIn(call), quantity: 1, startToken: call.body.startToken, isClaim: true } as const
    const purchased = await purchase(ports, call.caller, wanted)
    return answerOfClaim(purchased, ports.clock())
  }),
]

/** Answers purchases and claims. */
export const purchaseApp = (ports: ReservePorts) => createApp(ports, routes, forBuyers(ports))
