/**
 * Reads a batch of messages that are each about a sale, every one by itself, so that one bad message never fails its
 * neighbours. What nothing can ever be made of is put aside.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Parsed } from '../../core/parse.ts'
import type { Offer, Offers } from '../orders/offer.ts'
import type { QueueMessage } from './queue-message.ts'
import { type DeadLetters, rejectToDlq } from './reject-to-dlq.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'
import { within } from './within.ts'

export type SortPorts = { offers: Offers; deadLetters: DeadLetters; clock: () => number } & Telemetry

/** What can be made of a message: a value, or nothing, with the reason. */
export type Made<Value> = { ok: true; value: Value } | { ok: false; detail: string }

/** How the messages of a queue are read: each by itself, then together with what its sale offers. */
export type Reading<Message, Value> = {
  parse: (body: string) => Parsed<Message>
  /** `now` is the same for all of a batch, epoch ms. */
  make: (message: Message, offer: Offer, now: number) => Made<Value>
}

export type Sorted<Value> = { read: { mail: QueueMessage; value: Value }[]; comeAgain: string[] }

/** What the sales of a batch offer; one that could not be looked up is missing. */
type Known = ReadonlyMap<SaleId, Offer | undefined>

/**
 * `comeAgain` are the ids of the messages that could not be put aside, and of those whose sale could not be looked up before
 * `deadline` (epoch ms).
 */
export async function parseBatch<Message extends { saleId: SaleId }, Value>(
  ports: SortPorts,
  mails: readonly QueueMessage[],
  { parse, make }: Reading<Message, Value>,
  deadline: number,
): Promise<Sorted<Value>> {
  const letters = mails.map((mail) => ({ mail, message: parse(mail.body) }))
  const saleIds = new Set(letters.flatMap(({ message }) => (message.ok ? [message.value.saleId] : [])))
  const offers = await lookUp(ports, saleIds, deadline)
  const now = ports.clock()
  const sorted: Sorted<Value> = { read: [], comeAgain: [] }
  const hopeless: { mail: QueueMessage; reason: string }[] = []
  for (const { mail, message } of letters) {
    if (message.ok && !offers.has(message.value.saleId)) {
      sorted.comeAgain.push(mail.messageId)
      continue
    }
    const made = message.ok ? makeOf(message.value, offers.get(message.value.saleId)) : message
    if (made.ok) sorted.read.push({ mail, value: made.value })
    else hopeless.push({ mail, reason: made.detail })
  }
  sorted.comeAgain.push(...(await putAllAside(ports, hopeless)))
  return sorted

  function makeOf(message: Message, offer: Offer | undefined): Made<Value> {
    if (offer === undefined) return { ok: false, detail: `there is no sale ${message.saleId}` }
    return make(message, offer, now)
  }
}

/** Each sale once for all its messages, also in vain. */
async function lookUp(
  { offers, clock, log }: SortPorts,
  saleIds: ReadonlySet<SaleId>,
  deadline: number,
): Promise<Known> {
  const known = new Map<SaleId, Offer | undefined>()
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

/** Puts messages aside; resolves with the ids of those that could not be, and have to come again. */
export async function putAllAside(
  ports: { deadLetters: DeadLetters } & Telemetry,
  hopeless: readonly { mail: QueueMessage; reason: string }[],
): Promise<string[]> {
  const isPut = await Promise.all(hopeless.map(({ mail, reason }) => rejectToDlq(ports, mail, reason)))
  return hopeless.filter((_, index) => !isPut[index]).map(({ mail }) => mail.messageId)
}
