/** The calls of `/api/control` that show personal data. */
import { controlApi } from '../../core/api/control.ts'
import { type Arrival, type ControlRoute, enterControl, guarded, onSale } from '../control/entrance.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import type { Blocklist } from '../table/gate/blocklist.ts'
import { answerFoundOrders, type FindOrdersPorts } from './find-orders.ts'
import { answerOrdersTable, type OrdersTablePorts } from './orders-table.ts'

export type PersonalControlPorts = FindOrdersPorts & OrdersTablePorts & { blocklist: Pick<Blocklist, 'find'> }

const all: readonly ControlRoute<PersonalControlPorts>[] = [
  onSale(controlApi.getOrders, answerOrdersTable),
  {
    ...controlApi.findOrders,
    run: ({ ports, request }) => answerFoundOrders(ports, request.body),
  },
]

const route = createRouter<Arrival<PersonalControlPorts>>(all.map(guarded))

/**
 * Answers one request of the shop's staff.
 * @throws what the ports throw
 */
export async function answerPersonalControl(
  ports: PersonalControlPorts,
  request: HttpRequest,
): Promise<HttpAnswer> {
  return enterControl(route, ports, request, ports.blocklist)
}
