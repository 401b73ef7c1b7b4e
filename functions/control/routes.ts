/** `/api/control`: the routes and their bodies. */

import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control.ts'
import { earlyShoppers } from '../../core/api/early-list.ts'
import { orderLines } from '../../core/api/order-lines.ts'
import { shipmentLines } from '../../core/api/shipment-lines.ts'
import { brandRecord } from '../../core/brand.ts'
import { turnstileHeader } from '../../core/gate/challenge.ts'
import { parseIdempotencyKey, parseOrderId } from '../../core/ids.ts'
import { readJson, whole } from '../../core/lib/parse.ts'
import { type SaleEdit, saleDefinition, saleEdit } from '../../core/sale/sale.ts'
import { maxStock } from '../../core/sale/settings.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import type { BlocklistPorts } from '../repair/gate/compare-blocklist.ts'
import type { RepairPorts } from '../repair/ports.ts'
import type { MovePorts } from '../repair/stock/move-shards.ts'
import { readAudit } from '../table/audit.ts'
import { findBrand } from '../table/sale/brand.ts'
import {
  answerOfEarly,
  answerOfRecovery,
  answerOfRefund,
  answerOfReserved,
  answerOfSale,
  answerOfShipped,
  answerOfStock,
  refusal,
  unknownSale,
} from './answers.ts'
import { blocklistRoutes } from './blocklist-routes.ts'
import { type BrandPorts, changeBrand } from './brand.ts'
import * as control from './control.ts'
import { listDatabases } from './databases.ts'
import { changeEarlyList, type EarlyChangePorts, readEarlyList } from './early-list.ts'
import { type Arrival, type ControlRoute as GuardedRoute, guarded, onSale } from './entrance.ts'
import { type LivePorts, readLive } from './live.ts'
import { pauseEverySale, resumeEverySale } from './pause-all.ts'
import type { Redrive } from './redrive.ts'
import { type RefundPorts, refundOrder } from './refund.ts'
import { reconcileNow, recoverSale, redriveDeadLetters, voidPasses } from './repair-actions.ts'
import { reserveOrders } from './reserve-orders.ts'
import { answerSales } from './sales-page.ts'
import { type ShipPorts, shipOrders } from './ship-orders.ts'
import { changeStock } from './stock-change.ts'
import { answerCouponsTable, answerPacketsTable, type TablePorts } from './table-routes.ts'
import { templateRoutes } from './template-routes.ts'
import type { TemplatePorts } from './templates.ts'

export type ControlRoutePorts = control.ControlPorts &
  LivePorts &
  RepairPorts &
  BrandPorts &
  MovePorts &
  BlocklistPorts &
  TablePorts &
  RefundPorts &
  TemplatePorts &
  EarlyChangePorts &
  ShipPorts & { deadLetters: Redrive }

type ControlRoute = GuardedRoute<ControlRoutePorts>

const noOptions = z.strictObject({}, 'must be an object')
const startOptions = z.strictObject(
  { now: z.optional(z.boolean('must be true or false')) },
  'must be an object',
)
const variantId = z.custom<string>(isVariantId, 'must be the id of a variant')
const stockChange = z.strictObject(
  {
    delta: whole(-maxStock, maxStock).check(z.refine((delta) => delta !== 0, 'must not be 0')),
    variant: z.optional(variantId),
  },
  'must be a JSON object with delta',
)

/** What a call without options answers; a body with any is a fault of the request. */
async function withoutOptions(request: HttpRequest, run: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const body = readJson(noOptions, request.body || '{}')
  return body.ok ? run() : invalid(body.field, body.detail)
}

/** Whether this stage can check shoppers as the sale asks for; only the gate knows, and says so. */
function canCheck(request: HttpRequest, { challenge }: SaleEdit): boolean {
  return challenge !== 'turnstile' || request.headers[turnstileHeader] === 'ready'
}

const noTurnstile = () => refusal({ reason: 'turnstile-missing', field: 'challenge' })

function onAction(action: control.Action): ControlRoute {
  return onSale(controlApi[action], ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () =>
      answerOfSale(controlApi[action], await control.act(ports, actor, saleId, action)),
    ),
  )
}

function onEarlyList(what: 'add' | 'remove'): ControlRoute {
  const operation = what === 'add' ? controlApi.addEarly : controlApi.removeEarly
  return onSale(operation, async ({ ports, actor, request, saleId }) => {
    const body = readJson(earlyShoppers, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    const { shoppers, dryRun = false } = body.value
    return answerOfEarly(operation, await changeEarlyList(ports, actor, saleId, { what, shoppers, dryRun }))
  })
}

const all: readonly ControlRoute[] = [
  {
    ...controlApi.whoAmI,
    run: async ({ actor, held }) => answerOf(controlApi.whoAmI, { who: actor.who, roles: held }),
  },
  {
    ...controlApi.listSales,
    run: ({ ports, request }) => answerSales(ports, request.query),
  },
  {
    ...controlApi.createSale,
    run: async ({ ports, actor, request }) => {
      const body = readJson(saleDefinition, request.body)
      if (!body.ok) return invalid(body.field, body.detail)
      if (!canCheck(request, body.value)) return noTurnstile()
      return answerOfSale(controlApi.createSale, await control.createSale(ports, actor, body.value))
    },
  },
  onSale(controlApi.getSale, async ({ ports, saleId }) => {
    const record = await ports.sales.find(saleId)
    return record === undefined ? unknownSale() : answerOf(controlApi.getSale, record.sale)
  }),
  onSale(controlApi.editSale, async ({ ports, actor, request, saleId }) => {
    const body = readJson(saleEdit, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    if (!canCheck(request, body.value)) return noTurnstile()
    return answerOfSale(controlApi.editSale, await control.editSale(ports, actor, saleId, body.value))
  }),
  onSale(controlApi.deleteSale, async ({ ports, actor, saleId }) =>
    answerOfSale(controlApi.deleteSale, await control.deleteSale(ports, actor, saleId)),
  ),
  onSale(controlApi.start, async ({ ports, actor, request, saleId }) => {
    const body = readJson(startOptions, request.body || '{}')
    return body.ok
      ? answerOfSale(controlApi.start, await control.startSale(ports, actor, saleId, body.value.now === true))
      : invalid(body.field, body.detail)
  }),
  ...(['warm', 'pause', 'resume', 'close'] as const).map(onAction),
  {
    ...controlApi.pauseAll,
    run: ({ ports, actor, request }) =>
      withoutOptions(request, async () => answerOf(controlApi.pauseAll, await pauseEverySale(ports, actor))),
  },
  {
    ...controlApi.resumeAll,
    run: ({ ports, actor, request }) =>
      withoutOptions(request, async () =>
        answerOf(controlApi.resumeAll, await resumeEverySale(ports, actor)),
      ),
  },
  onSale(controlApi.changeStock, async ({ ports, actor, request, saleId }) => {
    const body = readJson(stockChange, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    const header = request.headers['idempotency-key']
    const changeId = parseIdempotencyKey(header ?? ports.newId())
    if (changeId === undefined) {
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
    }
    return answerOfStock(await changeStock(ports, actor, saleId, { changeId, ...body.value }))
  }),
  onSale(controlApi.reserveOrders, async ({ ports, actor, request, saleId }) => {
    const body = readJson(orderLines, request.body)
    return body.ok
      ? answerOfReserved(await reserveOrders(ports, actor, saleId, body.value.lines))
      : invalid(body.field, body.detail)
  }),
  onSale(controlApi.ship, async ({ ports, actor, request, saleId }) => {
    const body = readJson(shipmentLines, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    return answerOfShipped(await shipOrders(ports, actor, saleId, body.value))
  }),
  onSale(controlApi.getEarlyList, async ({ ports, request, saleId }) => {
    const page = await readEarlyList(ports, saleId, request.query.get('after'))
    return page === undefined ? unknownSale() : answerOf(controlApi.getEarlyList, page)
  }),
  ...(['add', 'remove'] as const).map(onEarlyList),
  onSale(controlApi.recover, ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () => answerOfRecovery(await recoverSale(ports, actor, saleId))),
  ),
  onSale(controlApi.reconcile, ({ ports, actor, request, saleId }) =>
    withoutOptions(request, async () => {
      const record = await ports.sales.find(saleId)
      if (record === undefined) return unknownSale()
      if (record.sale.archivedAt !== undefined) return refusal({ reason: 'archived' })
      const kept = await reconcileNow(ports, actor, record.sale)
      return answerOf(controlApi.reconcile, { ...kept, holds: kept.holds ?? null })
    }),
  ),
  onSale(controlApi.getLive, async ({ ports, saleId }) => {
    const live = await readLive(ports, saleId)
    return live === undefined ? unknownSale() : answerOf(controlApi.getLive, live)
  }),
  onSale(controlApi.getCoupons, answerCouponsTable),
  onSale(controlApi.getPackets, answerPacketsTable),
  {
    ...controlApi.refund,
    run: async ({ ports, actor, request }, parts) => {
      const orderId = parseOrderId(parts.orderId)
      if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
      return withoutOptions(request, async () =>
        answerOfRefund(await refundOrder(ports, actor, orderId, 'refund')),
      )
    },
  },
  {
    ...controlApi.settleRefund,
    run: async ({ ports, actor, request }, parts) => {
      const orderId = parseOrderId(parts.orderId)
      if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
      return withoutOptions(request, async () => {
        const outcome = await refundOrder(ports, actor, orderId, 'settle-refund')
        return outcome.kind === 'refused'
          ? refusal({ reason: 'no-returned-refund' })
          : answerOfRefund(outcome)
      })
    },
  },
  {
    ...controlApi.redrive,
    run: async ({ ports, actor, request }) =>
      withoutOptions(request, async () => {
        const redriven = await redriveDeadLetters(ports, actor)
        ports.log.info('dead letters sent again', { ...actor, ...redriven })
        return answerOf(controlApi.redrive, redriven)
      }),
  },
  {
    ...controlApi.rotatePassKeys,
    run: ({ ports, actor, request }) =>
      withoutOptions(request, async () =>
        answerOf(controlApi.rotatePassKeys, await voidPasses(ports, actor)),
      ),
  },
  {
    ...controlApi.listDatabases,
    run: async ({ ports }) => answerOf(controlApi.listDatabases, await listDatabases(ports)),
  },
  ...blocklistRoutes,
  ...templateRoutes,
  {
    ...controlApi.getBrand,
    run: async ({ ports }) => answerOf(controlApi.getBrand, await findBrand(ports.table)),
  },
  {
    ...controlApi.changeBrand,
    run: async ({ ports, actor, request }) => {
      const body = readJson(brandRecord, request.body)
      if (!body.ok) return invalid(body.field, body.detail)
      const changed = await changeBrand(ports, actor, body.value)
      if (changed === 'conflict') return refusal({ reason: 'brand-changed' })
      return answerOf(controlApi.changeBrand, changed)
    },
  },
  {
    ...controlApi.getAudit,
    run: async ({ ports, request }) => {
      const day = request.query.get('day') ?? new Date(ports.clock()).toISOString().slice(0, 10)
      return isDay(day)
        ? answerOf(controlApi.getAudit, { day, entries: await readAudit(ports.table, day) })
        : invalid('day', 'day must be a date such as 2026-11-20')
    },
  },
]

/** Answers a request of a caller with any of our roles. */
export const route = createRouter<Arrival<ControlRoutePorts>>(all.map(guarded))

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
