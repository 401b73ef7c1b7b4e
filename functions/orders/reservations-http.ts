/** `POST /api/control/reservations/{orderId}/confirm` and `/release`, for a shop that takes the money itself. */
import type { AnswerOf } from '../../core/api/operation.ts'
import { reservationApi } from '../../core/api/reservations.ts'
import { problem } from '../../core/outcome.ts'
import { refusalText } from '../../core/refusals.ts'
import { type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { type Call, createApp, on } from '../lib/http/app.ts'
import { confirmOrder, type Reported, type ReservationPorts, releaseOrder } from './reservations.ts'
import { forShops } from './shop-entrance.ts'
import type { ShopKeyDigests } from './shop-keys.ts'

export type ReservationHttpPorts = ReservationPorts & { shopKeys: ShopKeyDigests }

const routes = [
  on(reservationApi.confirm, async (ports: ReservationHttpPorts, call: Call<typeof reservationApi.confirm, string>) =>
    answer(await confirmOrder(ports, { ...reportOf(call), ...call.body })),
  ),
  on(reservationApi.release, async (ports: ReservationHttpPorts, call: Call<typeof reservationApi.release, string>) =>
    answer(await releaseOrder(ports, reportOf(call))),
  ),
]

/** Answers reports of shops, whose keys say who reports. */
export const reservationsApp = (ports: ReservationHttpPorts) => createApp(ports, routes, forShops(ports.shopKeys))

const reportOf = ({
  caller: shop,
  params,
  headers,
}: Pick<Call<typeof reservationApi.release, string>, 'caller' | 'params' | 'headers'>) => ({
  ...params,
  shop,
  requestId: headers['x-request-id'] ?? '',
})

function answer(reported: Reported): AnswerOf<typeof reservationApi.confirm> | HttpAnswer {
  switch (reported.kind) {
    case 'done': {
      const { orderId, status, payment } = reported.order
      return { orderId, status, ...(payment?.reference !== undefined && { reference: payment.reference }) }
    }
    case 'no-order':
      return problemAnswer(problem('not-found', 'There is no order with this number.'))
    case 'unavailable':
      return unavailable(Math.random)
    case 'not-written': {
      const detail = 'The units are reserved again, and the order is being written. Ask again in a second.'
      return problemAnswer(problem('conflict', detail, { retryAfterSeconds: 1 }))
    }
    case 'refused': {
      const { kind: _, ...refused } = reported
      return problemAnswer(problem('conflict', refusalText(refused), refused))
    }
  }
}
