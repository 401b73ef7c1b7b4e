/**
 * The requests of `/api/control` and the problems that each call may answer, added to its answer in `control-answers.ts`.
 * They are in a file of their own because the console sends requests without validating them.
 */
import * as z from 'zod/mini'
import { maxDeliveryText } from '../body-limits.ts'
import { brandRecord } from '../brand.ts'
import { orderQuarters, parseSaleId } from '../ids.ts'
import { parsedBy, readBy, whole } from '../lib/parse.ts'
import { line } from '../lib/text.ts'
import { optionStaffOperations } from '../options.ts'
import { disputeStates, orderStatuses } from '../orders/order.ts'
import { placeInOrders } from '../orders/order-page.ts'
import { customerIssuerInput, issuerName } from '../people/customer-issuer.ts'
import { saleKinds } from '../sale/kinds.ts'
import { saleDefinition, saleEdit } from '../sale/sale.ts'
import { placeInCursor } from '../sale/sale-cursor.ts'
import { maxFind, numbersModes, salesPerPage, searchStates } from '../sale/sale-search.ts'
import { isDay } from '../sale/schedule.ts'
import { maxStock } from '../sale/settings.ts'
import { isVariantId } from '../sale/variants.ts'
import { blockedWithTerms, blockTerms, maxBlocksOfImport } from './blocks.ts'
import { controlApi } from './control-answers.ts'
import type { ControlCall } from './control-routes.ts'
import type { FullOperation } from './operation.ts'
import { bodyOf, noOptions, optionsOf, orderParams, removal, saleParams, saleRead } from './operation-parts.ts'
import { personRequest } from './own-data.ts'
import { pictureOperations } from './picture-operations.ts'
import { placedOrder } from './placed-order.ts'
import { staffProblems } from './problem-sets.ts'
import { shipmentLines } from './shipment-lines.ts'

/** Default number of orders on a page. */
export const ordersPerPage = 50

/** Maximum number of sales or orders on a page: each takes up to 6 kB, and a Lambda answer at most 6 MB. */
const maxLimit = 100

/** Converts a number of up to 15 digits, as in the keys of the table; other text stays text. */
const digits = z.transform((text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text))

const trueOrFalse = z.enum(['true', 'false'], 'must be true or false')

const salesQuery = z.strictObject({
  limit: z._default(z.pipe(digits, whole(1, maxLimit)), salesPerPage),
  after: z.optional(parsedBy(placeInCursor, 'must be the next of another page')),
  archived: z._default(trueOrFalse, 'false'),
  numbers: z._default(z.enum(numbersModes, `must be one of ${numbersModes.join(', ')}`), 'false'),
  find: z.optional(z.string().check(z.maxLength(maxFind, `must be at most ${maxFind} characters`))),
  kind: z.optional(z.enum(saleKinds, `must be one of ${saleKinds.join(', ')}`)),
  state: z.optional(z.enum(searchStates, `must be one of ${searchStates.join(', ')}`)),
})

const seriesQuery = z.strictObject({ before: z.optional(z.pipe(digits, whole(1, 999_999_999_999_999))) })

const orderFilters = {
  sale: z.optional(readBy(parseSaleId, 'is not a sale id')),
  status: z.optional(z.enum(orderStatuses, `must be one of ${orderStatuses.join(', ')}`)),
  dispute: z.optional(z.enum(disputeStates, `must be one of ${disputeStates.join(', ')}`)),
  variant: z.optional(z.custom<string>(isVariantId, 'must be the id of a variant')),
}

const ordersQuery = z.strictObject({
  ...orderFilters,
  limit: z._default(z.pipe(digits, whole(1, maxLimit)), ordersPerPage),
  after: z.optional(parsedBy(placeInOrders, 'must be the next of another page')),
})

const dayMessage = 'must be a date such as 2026-11-20'

const startOptions = z.strictObject({ now: z.optional(z.boolean('must be true or false')) }, 'must be an object')
const stockChange = z.strictObject(
  {
    delta: whole(-maxStock, maxStock).check(z.refine((delta) => delta !== 0, 'must not be 0')),
    variant: z.optional(z.custom<string>(isVariantId, 'must be the id of a variant')),
  },
  'must be a JSON object with delta',
)
/** With `find` a search for an order or a shopper; with `name` a search in the list of orders, which the filters narrow. */
const orderSearch = z.strictObject(
  {
    find: z.optional(z.string('must be a string')),
    name: z.optional(line(maxDeliveryText)),
    after: z.optional(z.string('must be a string')),
    shopper: z.optional(z.boolean('must be true or false')),
    ...orderFilters,
  },
  'must be a JSON object with find or name',
)

/** Importing the same entries again is a no-op. A dry run writes nothing. */
const blockImport = z.strictObject(
  {
    entries: z
      .array(blockedWithTerms, 'must be a list')
      .check(
        z.minLength(1, 'must have at least one entry'),
        z.maxLength(maxBlocksOfImport, `must have at most ${maxBlocksOfImport} entries`),
      ),
    dryRun: z.optional(z.boolean('must be true or false')),
  },
  'must be a JSON object with entries',
)

const read = { problems: staffProblems } as const
const change = { problems: [...staffProblems, 'conflict'] } as const
const changeAt = { problems: [...change.problems, 'not-found'] } as const
const saleChange = {
  params: saleParams,
  problems: [...staffProblems, 'not-found', 'conflict', 'unknown-sale'],
} as const
const action = { ...saleChange, body: noOptions } as const
const orderChange = { ...changeAt, params: orderParams, body: noOptions } as const
const tableQuery = { after: z.optional(z.string('must be the next of another part')) }
const table = {
  params: saleParams,
  query: z.strictObject(tableQuery),
  problems: [...staffProblems, 'not-found', 'unknown-sale', 'conflict'],
} as const
const issuerParams = { params: z.object({ name: issuerName }) } as const
const blockParams = { params: z.object({ kind: z.string(), value: z.string() }) } as const

export const controlOperations = {
  whoAmI: { ...controlApi.whoAmI, ...read },
  listSales: { ...controlApi.listSales, ...read, query: salesQuery },
  createSale: { ...controlApi.createSale, ...change, body: bodyOf(saleDefinition) },
  getSale: { ...controlApi.getSale, ...saleRead },
  editSale: { ...controlApi.editSale, ...saleChange, body: bodyOf(saleEdit) },
  deleteSale: { ...controlApi.deleteSale, ...saleChange },
  warm: { ...controlApi.warm, ...action },
  start: { ...controlApi.start, ...saleChange, body: optionsOf(startOptions) },
  pause: { ...controlApi.pause, ...action },
  resume: { ...controlApi.resume, ...action },
  close: { ...controlApi.close, ...action },
  changeStock: { ...controlApi.changeStock, ...saleChange, body: bodyOf(stockChange) },
  reserveOrder: { ...controlApi.reserveOrder, ...saleChange, body: bodyOf(placedOrder) },
  ship: { ...controlApi.ship, ...saleChange, body: bodyOf(shipmentLines) },
  ...pictureOperations,
  pauseAll: { ...controlApi.pauseAll, ...read, body: noOptions },
  resumeAll: { ...controlApi.resumeAll, ...read, body: noOptions },
  recover: { ...controlApi.recover, ...action },
  reconcile: { ...controlApi.reconcile, ...action },
  getLive: { ...controlApi.getLive, ...saleRead },
  getSeries: { ...controlApi.getSeries, ...saleRead, query: seriesQuery },
  getOrders: {
    ...{ ...controlApi.getOrders, ...table, problems: saleRead.problems },
    query: z.strictObject({
      ...tableQuery,
      columns: z.optional(z.enum(['report'], 'must be report')),
      quarter: z.optional(z.enum(orderQuarters, 'must be 1, 2, 3 or 4')),
    }),
  },
  getCoupons: { ...controlApi.getCoupons, ...table },
  getPackets: { ...controlApi.getPackets, ...table },
  listAllOrders: { ...controlApi.listAllOrders, ...read, query: ordersQuery },
  findOrders: { ...controlApi.findOrders, ...read, body: bodyOf(orderSearch) },
  exportPerson: { ...controlApi.exportPerson, ...read, body: bodyOf(personRequest) },
  erasePerson: { ...controlApi.erasePerson, ...change, body: bodyOf(personRequest) },
  refund: { ...controlApi.refund, ...orderChange },
  settleRefund: { ...controlApi.settleRefund, ...orderChange },
  redrive: { ...controlApi.redrive, ...read, body: noOptions },
  rotatePassKeys: { ...controlApi.rotatePassKeys, ...read, body: noOptions },
  getHealth: { ...controlApi.getHealth, ...read },
  listDatabases: { ...controlApi.listDatabases, ...read },
  listBlocks: { ...controlApi.listBlocks, ...read },
  importBlocks: { ...controlApi.importBlocks, ...change, body: bodyOf(blockImport) },
  block: {
    ...controlApi.block,
    ...changeAt,
    ...blockParams,
    body: optionsOf(blockTerms),
    query: z.object({ force: z.optional(z.literal('true', 'must be true, or left out')) }),
  },
  unblock: { ...controlApi.unblock, ...removal, ...blockParams },
  getBrand: { ...controlApi.getBrand, ...read },
  changeBrand: { ...controlApi.changeBrand, ...change, body: bodyOf(brandRecord) },
  listCustomerIssuers: { ...controlApi.listCustomerIssuers, ...read },
  saveCustomerIssuer: {
    ...controlApi.saveCustomerIssuer,
    ...changeAt,
    ...issuerParams,
    body: bodyOf(customerIssuerInput),
  },
  deleteCustomerIssuer: { ...controlApi.deleteCustomerIssuer, ...removal, ...issuerParams },
  getAudit: {
    ...controlApi.getAudit,
    ...read,
    query: z.object({ day: z.optional(z.string(dayMessage).check(z.refine(isDay, dayMessage))) }),
  },
  ...optionStaffOperations,
} as const satisfies Record<ControlCall, FullOperation>
