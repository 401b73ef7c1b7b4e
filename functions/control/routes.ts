/** `/api/control`: the routes and their bodies. */
import * as z from 'zod/mini'
import { parseIdempotencyKey, parseOrderId, parseSaleId, type SaleId } from '../../core/ids.ts'
import { readJson, whole } from '../../core/parse.ts'
import { maxStock, saleDefinition, saleEdit } from '../../core/sale.ts'
import { type HttpAnswer, invalid, jsonAnswer } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter, type PathParts, type Route } from '../lib/http/routes.ts'
import type { BlocklistPorts } from '../repair/compare-blocklist.ts'
import type { RepairPorts } from '../repair/ports.ts'
import type { Actor } from '../sales/audit.ts'
import type { StoredAuditEntry } from '../sales/sale-book.ts'
import {
  answerOf,
  answerOfCsv,
  answerOfRecovery,
  answerOfRefund,
  answerOfStock,
  refusal,
  unknownSale,
} from './answers.ts'
import { blocklistRoutes } from './blocklist-routes.ts'
import * as control from './control.ts'
import { answerCoupons, type CouponPorts } from './coupons-route.ts'
import { type LivePorts, readLive } from './live.ts'
import { ordersCsv } from './orders-csv.ts'
import type { Redrive } from './redrive.ts'
import { type RefundPorts, refundOrder } from './refund.ts'
import { reconcileNow, recoverSale, redriveDeadLetters } from './repair-actions.ts'
import { answerSales } from './sales-page.ts'
import { changeStock } from './stock-change.ts'

/** A day's changes, newest first. `day` is `yyyy-mm-dd` (UTC). */
export type AuditReader = { of: (day: string) => Promise<readonly StoredAuditEntry[]> }

export type Ports = control.Ports &
  LivePorts &
  RepairPorts &
  BlocklistPorts &
  CouponPorts &
  RefundPorts & { auditReader: AuditReader; deadLetters: Redrive }

type Context = { ports: Ports; request: HttpRequest; actor: Actor }
type SaleContext = Context & { saleId: SaleId }

const noOptions = z.strictObject({}, 'must be an object')
const startOptions = z.strictObject(
  { now: z.optional(z.boolean('must be true or false')) },
  'must be an object',
)
const stockChange = z.strictObject(
  {
    delta: whole(-maxStock, maxStock).check(z.refine((delta) => delta !== 0, 'must not be 0')),
  },
  'must be a JSON object with delta',
)

/** A route about one sale; an id that cannot be one is a fault of the request. */
function onSale(
  method: Route<Context>['method'],
  path: string,
  run: (context: SaleContext) => Promise<HttpAnswer>,
): Route<Context> {
  return {
    method,
    path: `/api/control/sales/:saleId${path}`,
    run: async (context, parts: PathParts) => {
      const saleId = parseSaleId(parts.saleId)
      return saleId === undefined ? invalid('saleId', 'saleId is not a sale id') : run({ ...context, saleId })
    },
  }
}

/** What a call without options answers; a body with any is a fault of the request. */
async function withoutOptions(request: HttpRequest, run: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const body = readJson(noOptions, request.body || '{}')
  return body.ok ? run() : invalid(body.field, body.detail)
}

function onAction(action: control.Action): Route<Context> {
  return onSale('POST', `/${action}`, ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () => answerOf(await control.act(ports, actor, saleId, action))),
  )
}

/** Answers a marketer's request; who may come here was checked before. */
export const route = createRouter<Context>([
  {
    method: 'GET',
    path: '/api/control/sales',
    run: ({ ports, request }) => answerSales(ports, request.query),
  },
  {
    method: 'POST',
    path: '/api/control/sales',
    run: async ({ ports, actor, request }) => {
      const body = readJson(saleDefinition, request.body)
      return body.ok
        ? answerOf(await control.createSale(ports, actor, body.value), 201)
        : invalid(body.field, body.detail)
    },
  },
  onSale('GET', '', async ({ ports, saleId }) => {
    const record = await ports.sales.find(saleId)
    return record === undefined ? unknownSale() : jsonAnswer(200, record.sale)
  }),
  onSale('PATCH', '', async ({ ports, actor, request, saleId }) => {
    const body = readJson(saleEdit, request.body)
    return body.ok
      ? answerOf(await control.editSale(ports, actor, saleId, body.value))
      : invalid(body.field, body.detail)
  }),
  onSale('DELETE', '', async ({ ports, actor, saleId }) =>
    answerOf(await control.deleteSale(ports, actor, saleId)),
  ),
  onSale('POST', '/start', async ({ ports, actor, request, saleId }) => {
    const body = readJson(startOptions, request.body || '{}')
    return body.ok
      ? answerOf(await control.startSale(ports, actor, saleId, body.value.now === true))
      : invalid(body.field, body.detail)
  }),
  ...(['warm', 'pause', 'resume', 'close'] as const).map(onAction),
  onSale('POST', '/stock', async ({ ports, actor, request, saleId }) => {
    const body = readJson(stockChange, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    const header = request.headers['idempotency-key']
    const changeId = parseIdempotencyKey(header ?? ports.newId())
    if (changeId === undefined) {
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
    }
    return answerOfStock(await changeStock(ports, actor, saleId, { changeId, delta: body.value.delta }))
  }),
  onSale('POST', '/recover', ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () => answerOfRecovery(await recoverSale(ports, actor, saleId))),
  ),
  onSale('POST', '/reconcile', ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () => {
      const record = await ports.sales.find(saleId)
      if (record === undefined) return unknownSale()
      if (record.sale.archivedAt !== undefined) return refusal({ reason: 'archived' })
      const kept = await reconcileNow(ports, actor, record.sale)
      return jsonAnswer(200, { ...kept, holds: kept.holds ?? null })
    }),
  ),
  onSale('GET', '/live', async ({ ports, saleId }) => {
    const live = await readLive(ports, saleId)
    return live === undefined ? unknownSale() : jsonAnswer(200, live)
  }),
  onSale('GET', '/orders.csv', async ({ ports, saleId }) => {
    if ((await ports.sales.find(saleId)) === undefined) return unknownSale()
    const csv = await ordersCsv(ports, saleId)
    return answerOfCsv(`${saleId}-orders.csv`, csv, { reason: 'orders-too-many' })
  }),
  onSale('GET', '/coupons.csv', answerCoupons),
  {
    method: 'POST',
    path: '/api/control/orders/:orderId/refund',
    run: async ({ ports, actor, request }, parts) => {
      const orderId = parseOrderId(parts.orderId)
      if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
      return withoutOptions(request, async () => answerOfRefund(await refundOrder(ports, actor, orderId)))
    },
  },
  {
    method: 'POST',
    path: '/api/control/dead-letters/redrive',
    run: async ({ ports, actor, request }) =>
      withoutOptions(request, async () => {
        const redriven = await redriveDeadLetters(ports, actor)
        ports.log.info('dead letters sent again', { ...actor, ...redriven })
        return jsonAnswer(200, redriven)
      }),
  },
  ...blocklistRoutes,
  {
    method: 'GET',
    path: '/api/control/audit',
    run: async ({ ports, request }) => {
      const day = request.query.get('day') ?? new Date(ports.clock()).toISOString().slice(0, 10)
      return isDay(day)
        ? jsonAnswer(200, { day, entries: await ports.auditReader.of(day) })
        : invalid('day', 'day must be a date such as 2026-11-20')
    },
  },
])

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
