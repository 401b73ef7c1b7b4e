/**
 * Stores and erases personal data of shoppers: `/api/orders/{orderId}/delivery`, `/api/contact`, `/api/me` and
 * `/api/unsubscribe`, with the calls of options. A delivery can change until the order is shipped. It can be erased at any
 * time except while the order is being paid. An order ships long after its list was exported, so a change in the moment of
 * shipping is too late anyway.
 */
import { type ContactView, type DeliveryView, deliveryApi, unsubscribeApi } from '../../core/api/delivery.ts'
import { ownDataApi } from '../../core/api/own-data.ts'
import { type OrderId, parseShopperId, type ShopperId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { type BillTerms, deliveryCostOf, goodsAmountOf, isCostFixed } from '../../core/orders/bill.ts'
import type { Order } from '../../core/orders/order.ts'
import { isBeingPaid } from '../../core/orders/order-life.ts'
import { problem } from '../../core/outcome.ts'
import { type OrderDelivery, takesDelivery } from '../../core/people/delivery.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import { renderUnsubscribe, renderUnsubscribed, renderUnsubscribeInvalid } from '../../templates/pages/plain-page.ts'
import { type HttpAnswer, invalid, notFound, problemAnswer } from '../lib/http/answer.ts'
import { type Caller, createApp, forShoppers, on, type Route } from '../lib/http/app.ts'
import { unsubscribeSeal } from '../lib/sealer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { Offers } from '../orders/offers.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { deleteContact, findContact, putContact, recordUnsubscribed } from '../table/people/contacts.ts'
import { deleteDelivery, findDeliveries, putDelivery, putDeliveryIfUnchanged } from '../table/people/deliveries.ts'
import { addressFormOf, labelLines, readDelivery } from './address-rules.ts'
import { forgetRequestedMails } from './mail-options.ts'
import { erasePerson, erasureAnswer, exportPerson } from './person.ts'
import { acceptedLanguage } from './save-contact.ts'

type DeliveryPorts = Pick<ShopContext, 'table' | 'sealer' | 'personalKeys' | 'clock'> & {
  offers: Offers
  /** How long personal data is kept after it was saved, ms. */
  keepMs: number
}

/** An order of the caller, the countries of delivery of its sale, and the delivery costs. */
type OwnDelivery = { order: Order; countries: readonly string[]; terms: BillTerms['delivery'] }

/** Resolves with undefined for an order that is missing, not written yet, or another shopper's. */
async function findOwnDelivery(
  { table, offers }: DeliveryPorts,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OwnDelivery | undefined> {
  const order = await findWrittenOrder(table, orderId)
  if (order?.shopperId !== shopperId) return undefined
  const offer = await offers.find(order.saleId)
  if (offer === undefined) throw new Error(`${orderId} is of a sale that does not exist`)
  return { order, countries: countriesOf(offer), terms: offer.delivery }
}

async function viewDelivery(ports: DeliveryPorts, own: OwnDelivery): Promise<DeliveryView> {
  const { orderId, shopperId } = own.order
  const [deliveries, contact] = await Promise.all([findDeliveries(ports, [orderId]), findContact(ports, shopperId)])
  return viewOf(own, deliveries.get(orderId), contact?.email)
}

function viewOf(
  { order, countries }: OwnDelivery,
  delivery: OrderDelivery | undefined,
  email: string | undefined,
): DeliveryView {
  return {
    delivery: delivery ?? null,
    lines: delivery === undefined ? [] : labelLines(delivery),
    forms: takesDelivery(order.status) ? countries.map(addressFormOf) : [],
    email: email ?? null,
  }
}

/** Stores the shopper's contact, then the delivery. A repeat completes both. */
async function saveDelivery(
  ports: DeliveryPorts,
  own: OwnDelivery,
  input: unknown,
): Promise<DeliveryView | HttpAnswer> {
  const { order, countries } = own
  if (countries.length === 0) return problemAnswer(problem('conflict', 'This sale asks for no address.'))
  if (!takesDelivery(order.status))
    return problemAnswer(problem('conflict', `The order is ${order.status}: its address can’t change any more.`))
  const read = readDelivery(input, countries)
  if (!read.ok) return invalid(read.field, read.detail, read.fields)
  const fault = costFault(own, read.value.delivery)
  if (fault !== undefined) return fault
  const { email, language } = read.value.request
  const expiresAt = ports.clock() + ports.keepMs
  const known = await findContact(ports, order.shopperId)
  const verified = known?.email === email ? known.verified : undefined
  await putContact(ports, order.shopperId, { email, language, verified }, expiresAt)
  const { delivery } = read.value
  if (own.terms?.costs === undefined) await putDelivery(ports, order.orderId, delivery, expiresAt)
  // A payment may have started since the order was read, and its amount depends on the country.
  else if (!(await putDeliveryIfUnchanged(ports, order, delivery, expiresAt)))
    return saveDelivery(ports, { ...own, order: await rereadOrder(ports, order) }, input)
  return viewOf(own, delivery, email)
}

/** Erases the delivery, and keeps the contact for other orders. Repeatable. Undefined while the order is being paid. */
async function eraseDelivery(ports: DeliveryPorts, own: OwnDelivery): Promise<DeliveryView | undefined> {
  const { order } = own
  if (isBeingPaid(order)) return undefined
  if (await deleteDelivery(ports.table, order)) return viewDelivery(ports, own)
  // The payment may have started since the order was read. An order has few steps, so the recursion ends.
  return eraseDelivery(ports, { ...own, order: await rereadOrder(ports, order) })
}

async function rereadOrder({ table }: DeliveryPorts, { orderId }: Order): Promise<Order> {
  const changed = await findWrittenOrder(table, orderId)
  if (changed === undefined) throw new Error(`${orderId} is gone`)
  return changed
}

/** Rejects a country with another delivery cost once the amount is fixed: the payment includes the delivery. */
function costFault(
  { order, terms }: OwnDelivery,
  { postalCountry }: Pick<OrderDelivery, 'postalCountry'>,
): HttpAnswer | undefined {
  if (!isCostFixed(order)) return undefined
  if (deliveryCostOf(goodsAmountOf(order), terms, postalCountry) === (order.deliveryCost ?? 0)) return undefined
  return invalid('postalCountry', 'postalCountry must be a country with the same delivery cost: the payment has begun')
}

/** Runs `run` on the caller's own order; answers 404 for another shopper's order. */
async function onOwnOrder<Answer>(
  ports: DeliveryPorts,
  { caller, params }: { caller: Caller; params: { orderId: OrderId } },
  run: (own: OwnDelivery) => Promise<Answer>,
): Promise<Answer | HttpAnswer> {
  const own = await findOwnDelivery(ports, caller.shopperId, params.orderId)
  return own === undefined ? notFound() : run(own)
}

export type DeliveryAppPorts = DeliveryPorts & Pick<ShopContext, 'sendsMails'>

async function viewContact(ports: DeliveryPorts, shopperId: ShopperId): Promise<ContactView> {
  const found = await findContact(ports, shopperId)
  return { contact: found === undefined ? null : { email: found.email, language: found.language } }
}

const routes = [
  on(deliveryApi.getDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, (own) => viewDelivery(ports, own)),
  ),
  on(deliveryApi.putDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, (own) => saveDelivery(ports, own, call.body)),
  ),
  on(deliveryApi.eraseDelivery, (ports: DeliveryPorts, call) =>
    onOwnOrder(ports, call, async (own) => {
      const detail = 'The order is being paid. Cancel it, or erase its address once it is paid.'
      return (await eraseDelivery(ports, own)) ?? problemAnswer(problem('conflict', detail))
    }),
  ),
  on(deliveryApi.getContact, (ports: DeliveryPorts, { caller }) => viewContact(ports, caller.shopperId)),
  on(ownDataApi.getOwnData, (ports: DeliveryAppPorts, { caller }) => exportPerson(ports, caller.shopperId)),
  on(ownDataApi.eraseOwnData, async (ports: DeliveryAppPorts, { caller }) => {
    const { shopperId, requestId } = caller
    return erasureAnswer(await erasePerson(ports, shopperId, { who: 'shopper', requestId }))
  }),
  on(deliveryApi.eraseContact, async (ports: DeliveryAppPorts, { caller }) => {
    const { shopperId } = caller
    await Promise.all([deleteContact(ports.table, shopperId), forgetRequestedMails(ports.table, shopperId)])
    return viewContact(ports, shopperId)
  }),
]

/** Answers requests of shoppers for their own personal data, and the calls of options. */
export const deliveryApp = (ports: DeliveryAppPorts, ofOptions: readonly Route<unknown>[] = []) =>
  createApp<DeliveryAppPorts>(ports, [...routes, ...ofOptions], forShoppers)

type UnsubscribePorts = Pick<ShopContext, 'table' | 'sealer'>

/** The calls behind links of emails, without a session. */
const unsubscribeRoutes = [
  on(unsubscribeApi.askToUnsubscribe, (ports: UnsubscribePorts, { query, headers }) =>
    askToUnsubscribe(ports, query.get('token'), acceptedLanguage(headers['accept-language'])),
  ),
  on(unsubscribeApi.unsubscribe, (ports: UnsubscribePorts, { query, headers }) =>
    unsubscribe(ports, query.get('token'), acceptedLanguage(headers['accept-language'])),
  ),
]

/** Answers the links of emails. */
export const unsubscribeApp = (ports: UnsubscribePorts) => createApp(ports, unsubscribeRoutes)

/**
 * Answers the link “Unsubscribe” of an email with a page that has a button. Reading it has no effect, because mail
 * scanners follow every link. For one click mail programs send the request of the button (RFC 8058). `token` is in the
 * address.
 */
export async function askToUnsubscribe(
  ports: UnsubscribePorts,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  return shopperId === undefined ? invalidLink(language) : pageAnswer(200, renderUnsubscribe(language))
}

/**
 * Unsubscribes the token's shopper, and deletes the shopper's requests for emails. Repeatable. Answers 200 also when no
 * contact is stored.
 * @throws when the table is unavailable
 */
export async function unsubscribe(
  ports: UnsubscribePorts,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  if (shopperId === undefined) return invalidLink(language)
  await recordUnsubscribed(ports.table, shopperId)
  await forgetRequestedMails(ports.table, shopperId)
  return pageAnswer(200, renderUnsubscribed(language))
}

async function shopperIn(
  { sealer }: Pick<ShopContext, 'sealer'>,
  token: string | null,
): Promise<ShopperId | undefined> {
  const content = token === null ? undefined : await sealer.open(unsubscribeSeal, token)
  return parseShopperId(content?.shopperId)
}

const invalidLink = (language: Language) => pageAnswer(400, renderUnsubscribeInvalid(language))

/** Answers with a page. `no-referrer`, because the token is in the address. */
function pageAnswer(statusCode: number, body: string): HttpAnswer {
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body,
  }
}
