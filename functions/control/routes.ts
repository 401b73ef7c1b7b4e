/** The routes of `/api/control`, except the calls that show personal data. */
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseList } from '../../core/api/control-answers.ts'
import { controlOperations } from '../../core/api/control-requests.ts'
import { turnstileHeader } from '../../core/gate/challenge.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import type { SaleEdit } from '../../core/sale/sale.ts'
import { isBig, salesByDatabase } from '../../core/stock/placement.ts'
import { languages } from '../../templates/messages/catalogues.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import { createApp } from '../lib/http/app.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { ChangeOrderPorts } from '../orders/change-orders.ts'
import type { MovePorts } from '../recovery/stock/move-shards.ts'
import { readPlacedSales } from '../sales/placed-sales.ts'
import { readAudit } from '../table/audit.ts'
import { findBlock } from '../table/gate/blocklist.ts'
import { findBrand, saveBrand } from '../table/sale/brand.ts'
import { findSale } from '../table/sale/sales.ts'
import { answerOfChange, answerOfRecovery, answerOfRefund, answerOfSale, refusal, unknownSale } from './answers.ts'
import { blocklistRoutes } from './blocklist.ts'
import * as control from './control.ts'
import { customerRoutes } from './customers.ts'
import { readHealth } from './health.ts'
import { readLive, readSaleSeries } from './live.ts'
import { pauseEverySale, resumeEverySale } from './pause-all.ts'
import { refundOrder } from './refund.ts'
import { type Redrive, reconcileNow, recoverSale, redriveDeadLetters, voidPasses } from './repair-actions.ts'
import { reserveOrder } from './reserve-order.ts'
import { readSalesPage } from './sales-page.ts'
import { shipOrders } from './ship-orders.ts'
import { forStaff, onControl } from './staff.ts'
import { changeStock } from './stock-change.ts'
import { tableRoutes } from './tables.ts'

export type ControlRoutePorts = control.ControlPorts &
  MovePorts &
  ChangeOrderPorts &
  Pick<ShopContext, 'allDeadLetters'> & { deadLetters: Redrive }

type Ports = ControlRoutePorts

/**
 * Returns why this stage cannot have such a sale: a text is in a language that no page has, which may be a typing error, or the
 * stage is not set up for the challenge, which only the gate knows.
 */
function findStageFault(
  { translations, variants = [], pictures = [], challenge }: SaleEdit,
  headers: Readonly<Record<string, string | undefined>>,
): HttpAnswer | undefined {
  const byPath: [path: string, texts: object | undefined][] = [
    ['translations', translations],
    ...variants.map(({ names }, i) => [`variants.${i}.names`, names] as [string, object | undefined]),
    ...pictures.map(({ alts }, i) => [`pictures.${i}.alts`, alts] as [string, object | undefined]),
  ]
  for (const [path, texts = {}] of byPath) {
    const unknown = Object.keys(texts).find((language) => !languages.includes(language))
    if (unknown !== undefined)
      return invalid(`${path}.${unknown}`, `must be for languages among ${languages.join(', ')}`)
  }
  const canCheck = challenge !== 'turnstile' || headers[turnstileHeader] === 'ready'
  return canCheck ? undefined : refusal({ reason: 'turnstile-missing', field: 'challenge' })
}

const saleRoutes = [
  onControl(controlOperations.listSales, (ports: Ports, { query }) => readSalesPage(ports, query)),
  onControl(
    controlOperations.createSale,
    async (ports: Ports, { actor, headers, body }) =>
      findStageFault(body, headers) ?? answerOfSale(await control.createSale(ports, actor, body)),
  ),
  onControl(
    controlOperations.getSale,
    async ({ table }: Ports, { params }) => (await findSale(table, params.saleId))?.sale ?? unknownSale(),
  ),
  onControl(
    controlOperations.editSale,
    async (ports: Ports, { actor, headers, params, body }) =>
      findStageFault(body, headers) ?? answerOfSale(await control.editSale(ports, actor, params.saleId, body)),
  ),
  onControl(controlOperations.deleteSale, async (ports: Ports, { actor, params }) =>
    answerOfSale(await control.deleteSale(ports, actor, params.saleId)),
  ),
  onControl(controlOperations.start, async (ports: Ports, { actor, params, body }) =>
    answerOfSale(await control.startSale(ports, actor, params.saleId, body.now === true)),
  ),
  onControl(controlOperations.warm, async (ports: Ports, { actor, params }) =>
    answerOfSale(await control.warmSale(ports, actor, params.saleId)),
  ),
  ...(['pause', 'resume', 'close'] as const).map((action) =>
    onControl(controlOperations[action], async (ports: Ports, { actor, params }) =>
      answerOfSale(await control.act(ports, actor, params.saleId, action)),
    ),
  ),
  onControl(controlOperations.pauseAll, (ports: Ports, { actor }) => pauseEverySale(ports, actor)),
  onControl(controlOperations.resumeAll, (ports: Ports, { actor }) => resumeEverySale(ports, actor)),
  onControl(controlOperations.changeStock, async (ports: Ports, { actor, headers, params, body }) => {
    const changeId = parseIdempotencyKey(headers['idempotency-key'] ?? ports.newId())
    if (changeId === undefined) {
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
    }
    return answerOfChange(await changeStock(ports, actor, params.saleId, { changeId, ...body }))
  }),
  onControl(controlOperations.reserveOrder, async (ports: Ports, { actor, params, body }) =>
    answerOfChange(await reserveOrder(ports, actor, params.saleId, body)),
  ),
  onControl(controlOperations.ship, async (ports: Ports, { actor, params, body }) =>
    answerOfChange(await shipOrders(ports, actor, params.saleId, body)),
  ),
  onControl(controlOperations.recover, async (ports: Ports, { actor, params }) =>
    answerOfRecovery(await recoverSale(ports, actor, params.saleId)),
  ),
  onControl(controlOperations.reconcile, async (ports: Ports, { actor, params }) => {
    const record = await findSale(ports.table, params.saleId)
    if (record === undefined) return unknownSale()
    if (record.sale.archivedAt !== undefined) return refusal({ reason: 'archived' })
    const kept = await reconcileNow(ports, actor, record.sale)
    return { ...kept, holds: kept.holds ?? null }
  }),
  onControl(
    controlOperations.getLive,
    async (ports: Ports, { params }) => (await readLive(ports, params.saleId)) ?? unknownSale(),
  ),
  onControl(
    controlOperations.getSeries,
    async (ports: Ports, { params, query }) =>
      (await readSaleSeries(ports, params.saleId, query.before)) ?? unknownSale(),
  ),
]

const shopRoutes = [
  onControl(controlOperations.whoAmI, async (_: Ports, { actor, caller }) => ({ who: actor.who, roles: caller.roles })),
  onControl(controlOperations.refund, async (ports: Ports, { actor, params }) =>
    answerOfRefund(await refundOrder(ports, actor, params.orderId, 'refund')),
  ),
  onControl(controlOperations.settleRefund, async (ports: Ports, { actor, params }) => {
    const outcome = await refundOrder(ports, actor, params.orderId, 'settle-refund')
    return outcome.kind === 'refused' ? refusal({ reason: 'no-returned-refund' }) : answerOfRefund(outcome)
  }),
  onControl(controlOperations.redrive, async (ports: Ports, { actor }) => {
    const redriven = await redriveDeadLetters(ports, actor)
    ports.log.info('dead letters sent again', { ...actor, ...redriven })
    return redriven
  }),
  onControl(controlOperations.rotatePassKeys, (ports: Ports, { actor }) => voidPasses(ports, actor)),
  onControl(controlOperations.getHealth, (ports: Ports) => readHealth(ports)),
  onControl(controlOperations.listDatabases, (ports: Ports) => listDatabases(ports)),
  onControl(controlOperations.getBrand, ({ table }: Ports) => findBrand(table)),
  // Saves the brand over the revision that the body names, then publishes all pages. After a crash the next scheduled run
  // publishes them.
  onControl(controlOperations.changeBrand, async ({ table, publisher, clock }: Ports, { actor, body }) => {
    const { revision, brand } = body
    const unknown = (brand.languages ?? []).findIndex((one) => !languages.includes(one))
    if (unknown !== -1)
      return invalid(`brand.languages.${unknown}`, `brand.languages must be among ${languages.join(', ')}`)
    await publisher.brandStyle(brand)
    const before = await findBrand(table)
    const next = { revision: revision + 1, brand }
    const isDone = before.revision === next.revision && isDeepStrictEqual(before.brand, brand)
    if (!isDone) {
      const audit = { what: 'brand' as const, saleId: null, when: clock(), before: before.brand, after: brand }
      const isLate = before.revision !== revision
      if (isLate || (await saveBrand(table, next, { ...actor, ...audit })) === 'conflict')
        return refusal({ reason: 'brand-changed' })
    }
    await publisher.brand()
    return next
  }),
  onControl(controlOperations.getAudit, async ({ table, clock }: Ports, { query }) => {
    const { day = new Date(clock()).toISOString().slice(0, 10) } = query
    return { day, entries: await readAudit(table, day) }
  }),
]

const routes = [...saleRoutes, ...shopRoutes, ...tableRoutes, ...blocklistRoutes, ...customerRoutes]

/** Answers requests of the shop's staff. `delivery` answers those that show personal data or belong to options. */
export const controlApp = (ports: ControlRoutePorts) =>
  createApp<ControlRoutePorts>(
    ports,
    routes,
    forStaff((block) => findBlock(ports.table, block)),
  )

/** Lists the sales that have their stock in each database (S16). */
async function listDatabases(ports: Pick<ShopContext, 'table' | 'clock' | 'databases'>): Promise<DatabaseList> {
  const placed = salesByDatabase(await readPlacedSales(ports), await ports.databases())
  const databases = placed.map(({ name, commandsPerSecond, share, sales }) => {
    const rows = sales.map((sale) => ({ sale, isBig: isBig(sale, { name, commandsPerSecond }) }))
    return { name, commandsPerSecond, share, sales: rows }
  })
  return { databases }
}
