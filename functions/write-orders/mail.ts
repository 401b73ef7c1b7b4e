/** Reads a batch of messages into entries, each by itself, so that one bad message never fails its neighbours. */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { type OrderMessage, orderMessage } from '../../core/order-message.ts'
import { type Parsed, readJson } from '../../core/parse.ts'
import type { Mail } from '../mail.ts'
import { type DeadLetters, putAside } from '../order-life/dead-letters.ts'
import { newOrder, rejected } from '../order-life/new-order.ts'
import type { Offer, Offers } from '../order-life/offer.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'
import { within } from '../within.ts'
import type { Entry } from './entry.ts'

export type MailPorts = { offers: Offers; deadLetters: DeadLetters; clock: () => number } & Telemetry

type Letter = { mail: Mail; message: Parsed<OrderMessage> }

/** What the sales of a batch offer; one that could not be looked up is missing. */
type Known = ReadonlyMap<SaleId, Offer | undefined>

/**
 * Messages of one order make one entry. What nothing can ever be made of is put aside. `comeAgain` are the ids of the
 * messages that could not be put aside, and of those whose sale could not be looked up before `deadline` (epoch ms).
 */
export async function readMail(
  ports: MailPorts,
  mails: readonly Mail[],
  deadline: number,
): Promise<{ entries: Entry[]; comeAgain: string[] }> {
  const letters = mails.map((mail): Letter => ({ mail, message: readJson(orderMessage, mail.body) }))
  const offers = await lookUp(ports, letters, deadline)
  const now = ports.clock()
  const entries = new Map<OrderId, Entry>()
  const comeAgain: string[] = []
  const hopeless: { mail: Mail; reason: string }[] = []
  for (const { mail, message } of letters) {
    const read = readOne(message, offers, now)
    if (read.kind === 'dark') comeAgain.push(mail.messageId)
    else if (read.kind === 'hopeless') hopeless.push({ mail, reason: read.reason })
    else {
      const before = entries.get(read.entry.order.orderId)?.messageIds ?? []
      entries.set(read.entry.order.orderId, { ...read.entry, messageIds: [...before, mail.messageId] })
    }
  }
  const putting = hopeless.map(({ mail, reason }) => putAside(ports, mail, reason))
  const isPut = await Promise.all(putting)
  const kept = hopeless.filter((_, index) => !isPut[index]).map(({ mail }) => mail.messageId)
  return { entries: [...entries.values()], comeAgain: [...comeAgain, ...kept] }
}

/** Each sale once for all its messages, also in vain. */
async function lookUp(
  { offers, clock, log }: MailPorts,
  letters: readonly Letter[],
  deadline: number,
): Promise<Known> {
  const known = new Map<SaleId, Offer | undefined>()
  const saleIds = new Set(letters.flatMap(({ message }) => (message.ok ? [message.value.saleId] : [])))
  const one = async (saleId: SaleId) => {
    try {
      known.set(saleId, await within(deadline - clock(), offers.of(saleId)))
    } catch (error) {
      log.error('sale not looked up', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
  return known
}

type Read =
  | { kind: 'entry'; entry: Omit<Entry, 'messageIds'> }
  | { kind: 'hopeless'; reason: string }
  | { kind: 'dark' }

function readOne(message: Letter['message'], offers: Known, now: number): Read {
  if (!message.ok) return { kind: 'hopeless', reason: message.detail }
  const { saleId, quantity } = message.value
  if (!offers.has(saleId)) return { kind: 'dark' }
  const offer = offers.get(saleId)
  if (offer === undefined) return { kind: 'hopeless', reason: `there is no sale ${saleId}` }
  try {
    const order = newOrder(message.value, offer, now)
    const limit = offer.limitPerShopper
    const isOver = quantity > limit
    return {
      kind: 'entry',
      entry: { order: isOver ? rejected(order, 'over-limit') : order, limit, capped: offer.stock !== -1 },
    }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'hopeless', reason: error.message }
    throw error
  }
}
