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
import { type Purchase, type Reservation, reserveAt } from '../../redis/buy/reserve.ts'
import type { Stocks } from '../../redis/command.ts'
import { shardOf } from '../../redis/shards.ts'
import { invalid } from '../lib/http/answer.ts'
import { type Call, type Caller, createApp, forShoppers, type Middleware, on } from '../lib/http/app.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { claimAnswer, type PurchaseResult, purchaseAnswer } from './answers.ts'
import {
  type AdmittedRequest,
  dispatch,
  dispatchReserved,
  type GateReportPorts,
  type OrderSender,
  type RunScript,
  withReport,
} from './dispatch-order.ts'

/** A buy request; `key` is its Idempotency-Key. */
export type PurchaseInput = Omit<Purchase, 'orderId' | 'now' | 'byGate'> & { key?: string | undefined }

export type ReservePorts = { stock: Stocks; queue: OrderSender; clock: () => number } & GateReportPorts

/** The metric for each outcome; `Refused` for all others. */
const metricByOutcome: Partial<Record<Reservation['kind'], MetricName>> = {
  reserved: 'Reserved',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
  'too-many-requests': 'Throttled',
}

/** What `reporting` gives a purchase: the admission of its click, and how the script is asked. */
export type ReportContext = { admission: AdmittedRequest['admission']; run: RunScript }

/** @throws RedisUnavailable when the outcome is unknown; the call can be repeated */
export async function purchase(
  ports: ReservePorts,
  { admission, run }: ReportContext,
  input: PurchaseInput,
): Promise<PurchaseResult> {
  const { key, ...rest } = input
  const { saleId, requestId } = input
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
  // The first request may have died before it sent the message, and no promise rests on Redis alone (O4).
  if (reservation.kind === 'repeat' && reservation.message) await dispatch(ports, reservation.message, facts)
  return { orderId, reservation }
}

async function reserveUnits({ stock }: ReservePorts, run: RunScript, purchase: Purchase): Promise<Reservation> {
  const shard = await shardOf(stock, purchase.saleId, purchase.shopperId)
  return run(() => reserveAt(shard, purchase))
}

/** The caller of a purchase or claim, with what its answer reports. */
type Buyer = Caller & ReportContext

/** The sale of any path below it, so that a refusal of the path is reported as well. */
function readAdmittedRequest(path: string, header: string | undefined): AdmittedRequest {
  // Set by the gate, which deletes a client's header of that name.
  const admission = header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined
  return { saleId: parseSaleId(path.split('/')[3]), admission }
}

/** Lets only callers in that the gate has named, and reports each request that took nothing, whatever answers it. */
export const forBuyers =
  (ports: GateReportPorts): Middleware =>
  (c, next) => {
    const request = readAdmittedRequest(c.req.path, c.req.header('x-admission'))
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

/** Answers purchases and claims. */
export const purchaseApp = (ports: ReservePorts) => createApp(ports, routes, forBuyers(ports))
