/**
 * `POST /api/sales/{saleId}/orders` buys units. `/packets` claims a red packet, which is an order of one unit. One script
 * reserves the units, then the order message is dispatched. After the script has succeeded, no failure may change the
 * answer.
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
import { claimAnswer, type PurchaseResult, purchaseAnswer } from './answers.ts'
import {
  dispatch,
  dispatchReserved,
  type OrderSender,
  type ReportPorts,
  type RequestAdmission,
  type RunScript,
  withReport,
} from './dispatch-order.ts'

/** A buy request; `key` is its Idempotency-Key. */
export type PurchaseInput = Omit<ReserveRequest, 'orderId' | 'now' | 'byGate'> & { key?: string | undefined }

export type ReservePorts = { stock: Stocks; queue: OrderSender; clock: () => number } & ReportPorts

/** The metric of each outcome. All other outcomes count as `Refused`. */
const metricByOutcome: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

/** Set by `forBuyers`: the admission of the request, and the function that runs the script and keeps its reply. */
export type PurchaseContext = { admission: RequestAdmission['admission']; run: RunScript }

/** Reserves the units and dispatches their order. Idempotent. @throws RedisUnavailable when the outcome is unknown */
export async function purchase(
  ports: ReservePorts,
  { admission, run }: PurchaseContext,
  input: PurchaseInput,
): Promise<PurchaseResult> {
  const { key, ...rest } = input
  const { saleId, requestId } = input
  // Without a key the start token takes its place, so that a shopper has one order in an epoch.
  const orderKey = input.isClaim ? claimKey : purchaseKey(key, input.startToken)
  const orderId = deriveOrderId(saleId, input.shopperId, orderKey)
  const reservation = await reserveUnits(ports, run, { ...rest, orderId, now: ports.clock(), byGate: true }).catch(
    (error) => {
      ports.demand.count(saleId, 'unavailable')
      throw error
    },
  )
  ports.demand.count(saleId, reservation.kind)
  ports.meter.count(metricByOutcome[reservation.kind] ?? 'Refused')
  const facts = { orderId, requestId }
  if (reservation.kind === 'reserved') await dispatchReserved(ports, reservation, admission, facts)
  // The first request may have crashed before it sent the message, and a confirmed order must not exist in Redis alone (O4).
  if (reservation.kind === 'repeat' && reservation.message) await dispatch(ports, reservation.message, facts)
  return { orderId, reservation }
}

async function reserveUnits({ stock }: ReservePorts, run: RunScript, purchase: ReserveRequest): Promise<Reservation> {
  const shard = await shardOf(stock, purchase.saleId, purchase.shopperId)
  return run(() => reserveAt(shard, purchase))
}

type Buyer = Caller & PurchaseContext

/** Reads the sale id itself, because Hono gives a parameter only to handlers whose own path names it. */
function readAdmission(path: string, header: string | undefined): RequestAdmission {
  // The gate sets this header, and deletes a client's header of the same name.
  const admission = header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
  return { saleId: parseSaleId(path.split('/')[3]), admission }
}

/** Rejects callers without the gate's headers, and reports each request that took nothing, even if another middleware answered it. */
export const forBuyers =
  (ports: ReportPorts): Middleware =>
  (c, next) => {
    const request = readAdmission(c.req.path, c.req.header('x-admission'))
    return withReport(ports, request, async (run) =>
      forShoppers(c, async () => {
        const { admission } = request
        c.set('caller', { ...(c.get('caller') as Caller), admission, run } satisfies Buyer)
        await next()
      }),
    )
  }

function idsIn({
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
    const input = { ...idsIn(call), key, quantity, variant, source, startToken }
    const purchased = await purchase(ports, call.caller, input)
    return purchaseAnswer(ordersLookup(call.params.saleId), purchased, ports.clock())
  }),
  on(purchaseApi.claim, async (ports: ReservePorts, call: Call<typeof purchaseApi.claim, Buyer>) => {
    const input = { ...idsIn(call), quantity: 1, startToken: call.body.startToken, isClaim: true } as const
    const purchased = await purchase(ports, call.caller, input)
    return claimAnswer(purchased, ports.clock())
  }),
]

export const purchaseApp = (ports: ReservePorts) => createApp(ports, routes, forBuyers(ports))
