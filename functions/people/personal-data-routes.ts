/** The calls of `/api/control` that show personal data, or secrets that are sealed with the same keys. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { type EndpointPorts, endpointRoutes } from '../control/endpoints.ts'
import { forStaff, onControl } from '../control/entrance.ts'
import { createApp } from '../lib/http/app.ts'
import { findBlock } from '../table/gate/blocklist.ts'
import { type FoundShopperPorts, findOrdersRoute } from './find-orders.ts'
import { listOrdersRoute, type OrdersTablePorts, ordersTableRoute } from './list-orders.ts'
import { answerOfErasing, erasePerson, exportForStaff } from './person.ts'

export type PersonalControlPorts = FoundShopperPorts & OrdersTablePorts & EndpointPorts

const personRoutes = [
  onControl(controlOperations.exportPerson, (ports: FoundShopperPorts, { body, actor }) =>
    exportForStaff(ports, body.shopperId, actor),
  ),
  onControl(controlOperations.erasePerson, async (ports: FoundShopperPorts, { body, actor }) =>
    answerOfErasing(await erasePerson(ports, body.shopperId, actor)),
  ),
]

const routes = [ordersTableRoute, findOrdersRoute, listOrdersRoute, ...personRoutes, ...endpointRoutes]

/** Answers requests of the shop's staff. */
export const personalControlApp = (ports: PersonalControlPorts) =>
  createApp<PersonalControlPorts>(
    ports,
    routes,
    forStaff((block) => findBlock(ports.table, block)),
  )
