/** The calls of `/api/control` that show personal data, or secrets that are sealed with the same keys. */
import { endpointRoutes } from '../control/endpoint-routes.ts'
import type { EndpointPorts } from '../control/endpoints.ts'
import { forStaff } from '../control/entrance.ts'
import { createApp } from '../lib/http/app.ts'
import { findOrdersRoute } from './find-orders.ts'
import { listOrdersRoute } from './list-orders.ts'
import { type OrdersTablePorts, ordersTableRoute } from './orders-table.ts'
import type { StoryPorts } from './shopper-story.ts'

export type PersonalControlPorts = StoryPorts & OrdersTablePorts & EndpointPorts

const routes = [ordersTableRoute, findOrdersRoute, listOrdersRoute, ...endpointRoutes]

/** Answers requests of the shop's staff. */
export const personalControlApp = (ports: PersonalControlPorts) =>
  createApp<PersonalControlPorts>(ports, routes, forStaff(ports.table))
