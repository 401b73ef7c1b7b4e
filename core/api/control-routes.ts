/**
 * Method, path and roles of each call of `/api/control`. The gate, the function and the
 * console all follow this table, and a test compares it with docs/reference/http-api.md. The answers are in
 * `control-answers.ts`; this file stays free of schemas, because the gate loads it.
 */
import { optionRoutes } from '../options.ts'
import { type Role, roles } from '../roles.ts'
import type { ControlRoute } from './control-route.ts'

const onlyMarketer: readonly Role[] = ['marketer']
const reports: readonly Role[] = ['marketer', 'viewer']
const care: readonly Role[] = ['marketer', 'support']

const ofSale = '/api/control/sales/:saleId'

export const controlRoutes = {
  whoAmI: { method: 'GET', path: '/api/control/me', roles },
  listSales: { method: 'GET', path: '/api/control/sales', roles },
  createSale: { method: 'POST', path: '/api/control/sales', roles: onlyMarketer },
  getSale: { method: 'GET', path: ofSale, roles },
  editSale: { method: 'PATCH', path: ofSale, roles: onlyMarketer },
  deleteSale: { method: 'DELETE', path: ofSale, roles: onlyMarketer },
  warm: { method: 'POST', path: `${ofSale}/warm`, roles: onlyMarketer },
  start: { method: 'POST', path: `${ofSale}/start`, roles: onlyMarketer },
  pause: { method: 'POST', path: `${ofSale}/pause`, roles: onlyMarketer },
  resume: { method: 'POST', path: `${ofSale}/resume`, roles: onlyMarketer },
  close: { method: 'POST', path: `${ofSale}/close`, roles: onlyMarketer },
  changeStock: { method: 'POST', path: `${ofSale}/stock`, roles: onlyMarketer },
  beginPicture: { method: 'POST', path: '/api/control/pictures', roles: onlyMarketer },
  finishPicture: { method: 'POST', path: '/api/control/pictures/:uploadId', roles: onlyMarketer },
  pauseAll: { method: 'POST', path: '/api/control/pause', roles: onlyMarketer },
  resumeAll: { method: 'POST', path: '/api/control/resume', roles: onlyMarketer },
  reserveOrder: { method: 'POST', path: `${ofSale}/orders`, roles: onlyMarketer },
  ship: { method: 'POST', path: `${ofSale}/shipments`, roles: care },
  recover: { method: 'POST', path: `${ofSale}/recover`, roles: onlyMarketer },
  reconcile: { method: 'POST', path: `${ofSale}/reconcile`, roles: onlyMarketer },
  getLive: { method: 'GET', path: `${ofSale}/live`, roles },
  getSeries: { method: 'GET', path: `${ofSale}/series`, roles },
  getOrders: { method: 'GET', path: `${ofSale}/orders.csv`, roles: reports },
  // Whoever has a code can redeem it.
  getCoupons: { method: 'GET', path: `${ofSale}/coupons.csv`, roles: onlyMarketer },
  getPackets: { method: 'GET', path: `${ofSale}/packets.csv`, roles: reports },
  listAllOrders: { method: 'GET', path: '/api/control/orders', roles },
  // A POST, because access logs record URLs, and the search term may be an email address.
  findOrders: { method: 'POST', path: '/api/control/orders/find', roles: care },
  // A POST for the same reason.
  exportPerson: { method: 'POST', path: '/api/control/people/export', roles: care },
  erasePerson: { method: 'POST', path: '/api/control/people/erase', roles: care },
  refund: { method: 'POST', path: '/api/control/orders/:orderId/refund', roles: care },
  settleRefund: { method: 'POST', path: '/api/control/orders/:orderId/settle-refund', roles: care },
  redrive: { method: 'POST', path: '/api/control/dead-letters/redrive', roles: care },
  rotatePassKeys: { method: 'POST', path: '/api/control/pass-keys/rotate', roles: onlyMarketer },
  getHealth: { method: 'GET', path: '/api/control/health', roles },
  listDatabases: { method: 'GET', path: '/api/control/databases', roles: reports },
  listBlocks: { method: 'GET', path: '/api/control/blocklist', roles: reports },
  importBlocks: { method: 'PUT', path: '/api/control/blocklist', roles: onlyMarketer },
  block: { method: 'PUT', path: '/api/control/blocklist/:kind/:value', roles: onlyMarketer },
  unblock: { method: 'DELETE', path: '/api/control/blocklist/:kind/:value', roles: onlyMarketer },
  getBrand: { method: 'GET', path: '/api/control/brand', roles },
  changeBrand: { method: 'PUT', path: '/api/control/brand', roles: onlyMarketer },
  listCustomerIssuers: { method: 'GET', path: '/api/control/customer-issuers', roles: reports },
  saveCustomerIssuer: { method: 'PUT', path: '/api/control/customer-issuers/:name', roles: onlyMarketer },
  deleteCustomerIssuer: { method: 'DELETE', path: '/api/control/customer-issuers/:name', roles: onlyMarketer },
  getAudit: { method: 'GET', path: '/api/control/audit', roles: reports },
  ...optionRoutes,
} as const satisfies Record<string, ControlRoute>

export type ControlCall = keyof typeof controlRoutes

const calls: readonly ControlRoute[] = Object.values(controlRoutes)

const shapes = calls.map(({ method, path, roles }) => ({ method, shape: shapeOf(path), roles }))

/**
 * Returns a pattern for the URL paths of an operation. A parameter is one segment; only the value of a block, a range of
 * addresses, may be two.
 */
export function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:value$/, '.+').replace(/:\w+/g, '[^/]+')}$`)
}

/** Returns the roles that may make the call; undefined if no call has this method and path. */
export function rolesFor(method: string, path: string): readonly Role[] | undefined {
  return shapes.find((call) => call.method === method && call.shape.test(path))?.roles
}

export function mayCall(call: ControlCall, held: readonly Role[]): boolean {
  const needed: readonly Role[] = controlRoutes[call].roles
  return needed.some((role) => held.includes(role))
}
