/** Routes the calls of `/api/control` that show personal data, and those of options. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { forStaff, onControl } from '../control/staff.ts'
import { createApp, type Route } from '../lib/http/app.ts'
import { findBlock } from '../table/gate/blocklist.ts'
import type { FoundShopperPorts } from './find-orders.ts'
import { findOrdersRoute, listOrdersRoute, ordersTableRoute } from './list-orders.ts'
import { erasePerson, erasureAnswer, exportForStaff } from './person.ts'

export type PersonalControlPorts = FoundShopperPorts

const personRoutes = [
  onControl(controlOperations.exportPerson, (ports: FoundShopperPorts, { body, actor }) =>
    exportForStaff(ports, body.shopperId, actor),
  ),
  onControl(controlOperations.erasePerson, async (ports: FoundShopperPorts, { body, actor }) =>
    erasureAnswer(await erasePerson(ports, body.shopperId, actor)),
  ),
]

const routes = [ordersTableRoute, findOrdersRoute, listOrdersRoute, ...personRoutes]

/** Answers requests of the shop's staff. */
export const personalControlApp = (ports: PersonalControlPorts, ofOptions: readonly Route<unknown>[]) =>
  createApp<PersonalControlPorts>(
    ports,
    [...routes, ...ofOptions],
    forStaff((block) => findBlock(ports.table, block)),
  )
