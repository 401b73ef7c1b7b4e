/** `GET`, `PUT` and `DELETE /api/orders/{orderId}/delivery`; `GET` and `DELETE /api/contact`; `/api/unsubscribe`. */
import * as z from 'zod/mini'
import { deliveryApi } from '../../core/api/delivery.ts'
import { maxDeliveryBytes } from '../../core/body-limits.ts'
import { parseOrderId, type ShopperId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { unsubscribeRoute } from '../../core/people/unsubscribe-path.ts'
import { answerOf, type HttpAnswer, invalid, notFound, problemAnswer } from '../lib/http/answer.ts'
import { readBody } from '../lib/http/body.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter, type PathParts } from '../lib/http/routes.ts'
import {
  type DeliveryPorts,
  eraseDelivery,
  type OwnDelivery,
  ownDelivery,
  type Saving,
  saveDelivery,
  viewDelivery,
} from './delivery.ts'
import { askToUnsubscribe, type UnsubscribePorts, unsubscribe } from './unsubscribe.ts'

type Context = { ports: DeliveryPorts; request: HttpRequest; shopperId: ShopperId }

/** A call about one order of the caller. */
function onOwnOrder(run: (context: Context, own: OwnDelivery) => Promise<HttpAnswer>) {
  return async (context: Context, { orderId: id }: PathParts): Promise<HttpAnswer> => {
    const orderId = parseOrderId(id)
    if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
    const own = await ownDelivery(context.ports, context.shopperId, orderId)
    return own === undefined ? notFound() : run(context, own)
  }
}

const route = createRouter<Context>([
  {
    ...deliveryApi.getDelivery,
    run: onOwnOrder(async ({ ports }, own) =>
      answerOf(deliveryApi.getDelivery, await viewDelivery(ports, own)),
    ),
  },
  {
    ...deliveryApi.putDelivery,
    run: onOwnOrder(async ({ ports, request }, own) => {
      const body = readBody(z.unknown(), request, maxDeliveryBytes)
      return body.ok ? answerOfSaving(await saveDelivery(ports, own, body.value)) : body.answer
    }),
  },
  {
    ...deliveryApi.eraseDelivery,
    run: onOwnOrder(async ({ ports }, own) => {
      const left = await eraseDelivery(ports, own)
      if (left !== undefined) return answerOf(deliveryApi.eraseDelivery, left)
      const detail = 'The order is being paid. Cancel it, or erase its address once it is paid.'
      return problemAnswer(problem('conflict', detail))
    }),
  },
  {
    ...deliveryApi.getContact,
    run: async ({ ports, shopperId }) =>
      answerOf(deliveryApi.getContact, { contact: (await ports.contacts.find(shopperId)) ?? null }),
  },
  {
    ...deliveryApi.eraseContact,
    run: async ({ ports, shopperId }) => {
      await ports.contacts.erase(shopperId)
      return answerOf(deliveryApi.eraseContact, { contact: null })
    },
  },
])

/** A link of an e-mail, opened without a session. */
function answerLink(ports: UnsubscribePorts, { method, query }: HttpRequest): Promise<HttpAnswer> {
  const token = query.get('token')
  return method === 'POST' ? unsubscribe(ports, token) : askToUnsubscribe(ports, token)
}

/**
 * Answers one request of a shopper for their own personal data.
 * @throws what the ports throw
 */
export async function answerDelivery(
  ports: DeliveryPorts & UnsubscribePorts,
  request: HttpRequest,
): Promise<HttpAnswer> {
  if (request.path === unsubscribeRoute) return answerLink(ports, request)
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  return route(request, { ports, request, shopperId: caller.shopperId })
}

function answerOfSaving(saving: Saving): HttpAnswer {
  switch (saving.kind) {
    case 'saved':
      return answerOf(deliveryApi.putDelivery, saving.view)
    case 'invalid':
      return invalid(saving.fault.field, saving.fault.detail, saving.fault.fields)
    case 'no-address':
      return problemAnswer(problem('conflict', 'This sale asks for no address.'))
    case 'refused':
      return problemAnswer(
        problem('conflict', `The order is ${saving.status}: its address can’t change any more.`),
      )
  }
}
