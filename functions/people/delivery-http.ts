/** `GET`, `PUT` and `DELETE /api/orders/{orderId}/delivery`; `GET`, `PUT` and `DELETE /api/contact`; `GET` and `DELETE /api/me`; `/api/unsubscribe`. */
import { type DeliveryView, deliveryApi } from '../../core/api/delivery.ts'
import { ownDataApi } from '../../core/api/own-data.ts'
import { unsubscribeApi } from '../../core/api/unsubscribe.ts'
import type { OrderId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, invalid, notFound, problemAnswer } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import type { Caller } from '../lib/http/caller.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { deleteContact } from '../table/people/contacts.ts'
import { deleteRemindersOf } from '../table/people/reminders.ts'
import {
  type DeliveryPorts,
  eraseDelivery,
  type OwnDelivery,
  ownDelivery,
  type Saving,
  saveDelivery,
  viewDelivery,
} from './delivery.ts'
import { answerOfErasing, erasePerson, exportPerson } from './person.ts'
import { changeReminder, type ReminderPorts, viewContact } from './reminders.ts'
import { languageOf } from './save-contact.ts'
import { askToUnsubscribe, unsubscribe } from './unsubscribe.ts'

type OwnCall = { caller: Caller; params: { orderId: OrderId } }

/** What `run` answers about the caller's own order; 404 for an order of another shopper. */
async function onOwnOrder<Answer>(
  ports: DeliveryPorts,
  { caller, params }: OwnCall,
  run: (own: OwnDelivery) => Promise<Answer>,
): Promise<Answer | HttpAnswer> {
  const own = await ownDelivery(ports, caller.shopperId, params.orderId)
  return own === undefined ? notFound() : run(own)
}

type DeliveryAppPorts = DeliveryPorts & ReminderPorts

const noReminder = {
  'no-mail': { detail: 'This shop sends no e-mails.', facts: {} },
  'too-late': {
    detail: 'The sale sends no such e-mail now: of its start only before it, of units that come back while it runs.',
    facts: { field: 'saleId' },
  },
  'no-address': {
    detail: 'No e-mail address is known that your sign-in has verified.',
    facts: { field: 'email' },
  },
} as const

const routes = [
  on(deliveryApi.getDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, (own) => viewDelivery(ports, own)),
  ),
  on(deliveryApi.putDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, async (own) => answerOfSaving(await saveDelivery(ports, own, call.body))),
  ),
  on(deliveryApi.eraseDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, async (own) => {
      const detail = 'The order is being paid. Cancel it, or erase its address once it is paid.'
      return (await eraseDelivery(ports, own)) ?? problemAnswer(problem('conflict', detail))
    }),
  ),
  on(deliveryApi.getContact, (ports: DeliveryAppPorts, { caller }) => viewContact(ports, caller.shopperId)),
  on(deliveryApi.changeReminder, async (ports: DeliveryAppPorts, { caller, body }) => {
    const change = await changeReminder(ports, caller.shopperId, body)
    if (change === 'no-sale') return notFound()
    if (change !== 'done')
      return problemAnswer(problem('conflict', noReminder[change].detail, noReminder[change].facts))
    return viewContact(ports, caller.shopperId)
  }),
  on(ownDataApi.getOwnData, (ports: DeliveryAppPorts, { caller }) => exportPerson(ports, caller.shopperId)),
  on(ownDataApi.eraseOwnData, async (ports: DeliveryAppPorts, { caller }) => {
    const { shopperId, requestId } = caller
    return answerOfErasing(await erasePerson(ports, shopperId, { who: 'shopper', requestId }))
  }),
  on(deliveryApi.eraseContact, async (ports: DeliveryAppPorts, { caller }) => {
    const { shopperId } = caller
    await Promise.all([
      deleteContact(ports.table, shopperId),
      ports.sendsMails && deleteRemindersOf(ports.table, shopperId),
    ])
    return viewContact(ports, shopperId)
  }),
]

/** Answers requests of shoppers for their own personal data. */
export const deliveryApp = (ports: DeliveryAppPorts) => createApp(ports, routes, forShoppers)

type UnsubscribePorts = Pick<Shop, 'table' | 'sealer'>

/** A link of an e-mail, opened without a session. */
const links = [
  on(unsubscribeApi.askToUnsubscribe, (ports: UnsubscribePorts, { query, headers }) =>
    askToUnsubscribe(ports, query.get('token'), languageOf(headers['accept-language'])),
  ),
  on(unsubscribeApi.unsubscribe, (ports: UnsubscribePorts, { query, headers }) =>
    unsubscribe(ports, query.get('token'), languageOf(headers['accept-language'])),
  ),
]

/** Answers the links of e-mails. */
export const unsubscribeApp = (ports: UnsubscribePorts) => createApp(ports, links)

function answerOfSaving(saving: Saving): DeliveryView | HttpAnswer {
  switch (saving.kind) {
    case 'saved':
      return saving.view
    case 'invalid':
      return invalid(saving.fault.field, saving.fault.detail, saving.fault.fields)
    case 'no-address':
      return problemAnswer(problem('conflict', 'This sale asks for no address.'))
    case 'refused':
      return problemAnswer(problem('conflict', `The order is ${saving.status}: its address can’t change any more.`))
  }
}
