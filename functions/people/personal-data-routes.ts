/** The calls of `/api/control` that show personal data. */
import { forStaff } from '../control/entrance.ts'
import { createApp } from '../lib/http/app.ts'
import { type FindOrdersPorts, findOrdersRoute } from './find-orders.ts'
import { type OrdersTablePorts, ordersTableRoute } from './orders-table.ts'

export type PersonalControlPorts = FindOrdersPorts & OrdersTablePorts

const routes = [ordersTableRoute, findOrdersRoute]

/** Answers requests of the shop's staff. */
export const personalControlApp = (ports: PersonalControlPorts) =>
  createApp<PersonalControlPorts>(ports, routes, forStaff(ports.table))
