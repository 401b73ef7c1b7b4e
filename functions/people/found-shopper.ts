/** What `POST /api/control/orders/find` answers of one shopper beside the orders, from the table alone. */
import type { FoundShopper } from '../../core/api/found-shopper.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { MailKind } from '../../core/people/mail.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { readWallet } from '../packets/wallet.ts'
import { offersAt } from '../table/draw/offers.ts'
import { findContact } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { findMails, type MailId } from '../table/people/mail-log.ts'
import { remindersOfShopper } from '../table/people/reminders.ts'
import { warmedSaleIds } from '../table/sale/sale-lists.ts'
import { linesOf } from './address-rules.ts'
import { mailKinds } from './mail-due.ts'
import { placesInDraws } from './places-in-draws.ts'

export type FoundShopperPorts = Pick<Shop, 'table' | 'sealer' | 'personalKeys' | 'clock'>

const kindOfReminder = { start: 'reminder', return: 'units-back' } as const

/** Credits whose e-mails are looked for. */
const newestCredits = 20

/** Sales whose offers are looked for, as many as one batch reads. */
const newestSales = 100

type AnyMail = MailId & { about: string; kind: MailKind }

/** `mayReadContact`: who asks may read how to reach the shopper, and where orders are sent. */
type Asked = { shopperId: ShopperId; orders: readonly Order[]; mayReadContact: boolean }

/** Beside `orders`, those of the page. Two rounds of reads and one of three, each of a bounded size. */
export async function readShopper(
  ports: FoundShopperPorts,
  { shopperId, orders, mayReadContact }: Asked,
): Promise<FoundShopper> {
  const { table, clock } = ports
  const mailed = orders.flatMap(mailsOf)
  const [contact, wallet, ofOrders, reminders, offered] = await Promise.all([
    mayReadContact ? readContact(ports, shopperId, orders) : {},
    readWallet({ table }, shopperId, { all: false }),
    findMails(table, mailed),
    remindersOfShopper(table, shopperId, clock()),
    mailsOfOffers(table, shopperId, clock()),
  ])
  const credited = wallet.credits.slice(0, newestCredits).map(({ packetId }): AnyMail => {
    return { packetId, about: packetId, kind: 'packet-credited' }
  })
  const reminded = reminders.flatMap(({ saleId, about: subject, remindedFor }): AnyMail[] =>
    remindedFor === undefined ? [] : [{ saleId, shopperId, remindedFor, about: saleId, kind: kindOfReminder[subject] }],
  )
  const asked = reminders.flatMap(({ saleId, about: subject, askedAt, remindedFor }) =>
    remindedFor === undefined
      ? [{ about: saleId, kind: kindOfReminder[subject], state: 'asked' as const, at: askedAt }]
      : [],
  )
  const mails = [...ofOrders, ...(await findMails(table, [...credited, ...reminded, ...offered]))]
  return {
    shopperId,
    ...contact,
    balances: wallet.balances,
    credits: wallet.credits.map(({ creditedAt: at, amount, currency, balance }) => {
      return { at, amount, currency, balance }
    }),
    mails: [...asked, ...mails.map(({ id: { about, kind }, state, at }) => ({ about, kind, state, at }))].toSorted(
      (a, b) => b.at - a.at,
    ),
  }
}

async function readContact(
  ports: FoundShopperPorts,
  shopperId: ShopperId,
  orders: readonly Order[],
): Promise<Pick<FoundShopper, 'contact' | 'deliveries'>> {
  const orderIds = orders.map(({ orderId }) => orderId)
  const [contact, deliveries] = await Promise.all([findContact(ports, shopperId), findDeliveries(ports, orderIds)])
  return {
    contact: contact ?? null,
    deliveries: [...deliveries].map(([orderId, to]) => ({ orderId, phone: to.phone, lines: linesOf(to) })),
  }
}

/** Those about offers of draws, in the sales that have started last. */
async function mailsOfOffers(table: FoundShopperPorts['table'], shopperId: ShopperId, now: number): Promise<AnyMail[]> {
  const sales = await warmedSaleIds(table, 'before', now, newestSales)
  const places = await placesInDraws(table, shopperId, sales)
  return (await offersAt(table, places)).map(({ saleId, at }): AnyMail => {
    return { saleId, shopperId, remindedFor: at, about: saleId, kind: 'unit-offered' }
  })
}

/** The e-mails that the steps of an order are worth. */
function mailsOf({ orderId, history }: Order): AnyMail[] {
  return history.flatMap(({ what, status }, i) => {
    const kind = mailKinds[what]?.[status]
    return kind === undefined ? [] : [{ orderId, revision: i + 1, about: orderId, kind }]
  })
}
