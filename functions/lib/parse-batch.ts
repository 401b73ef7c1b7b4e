/**
 * Parses a batch of messages that each concern a sale, each one separately, so that a bad message
 * never fails its neighbours. Unreadable messages go to the dead-letter queue.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Parsed } from '../../core/lib/parse.ts'
import type { Offer, Offers } from './offer.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from './queue-consumer.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'
import { within } from './within.ts'

export type ParsePorts = { offers: Offers; deadLetters: DeadLetters; clock: () => number } & Telemetry

/** A parsed value, or the reason why the message is invalid. */
export type Made<Value> = { ok: true; value: Value } | { ok: false; detail: string }

/** How to parse the messages of a queue: each one alone, then with its sale's offer. */
export type Reading<Message, Value> = {
  parse: (body: string) => Parsed<Message>
  /** `now` is the same for the whole batch, epoch ms. */
  make: (message: Message, offer: Offer, now: number) => Made<Value>
}

/** `putAside` are messages that are in the dead-letter queue now, except those that cannot be parsed. */
export type ParsedBatch<Message, Value> = {
  read: { source: QueueMessage; value: Value }[]
  putAside: Message[]
  comeAgain: string[]
}

/** The offers of a batch's sales; sales that could not be read are missing. */
type Known = ReadonlyMap<SaleId, Offer | undefined>

/**
 * `comeAgain` are the ids of messages that could not be moved to the dead-letter queue, or whose
 * sale could not be read before `deadline` (epoch ms).
 */
export async function parseBatch<Message extends { saleId: SaleId }, Value>(
  ports: ParsePorts,
  messages: readonly QueueMessage[],
  { parse, make }: Reading<Message, Value>,
  deadline: number,
): Promise<ParsedBatch<Message, Value>> {
  const parsed = messages.map((source) => ({ source, message: parse(source.body) }))
  const saleIds = new Set(parsed.flatMap(({ message }) => (message.ok ? [message.value.saleId] : [])))
  const offers = await lookUp(ports, saleIds, deadline)
  const now = ports.clock()
  const batch: ParsedBatch<Message, Value> = { read: [], putAside: [], comeAgain: [] }
  const invalid: { source: QueueMessage; reason: string; message: Message | undefined }[] = []
  for (const { source, message } of parsed) {
    if (message.ok && !offers.has(message.value.saleId)) {
      batch.comeAgain.push(source.messageId)
      continue
    }
    const made = message.ok ? makeOf(message.value, offers.get(message.value.saleId)) : message
    if (made.ok) batch.read.push({ source, value: made.value })
    else invalid.push({ source, reason: made.detail, message: message.ok ? message.value : undefined })
  }
  const { moved, comeAgain } = await rejectAllToDlq(ports, invalid)
  batch.putAside.push(...moved.flatMap(({ message }) => message ?? []))
  batch.comeAgain.push(...comeAgain)
  return batch

  function makeOf(message: Message, offer: Offer | undefined): Made<Value> {
    if (offer === undefined) return { ok: false, detail: `there is no sale ${message.saleId}` }
    return make(message, offer, now)
  }
}

/** Each sale once for all its messages, even when the read fails. */
async function lookUp(
  { offers, clock, log }: ParsePorts,
  saleIds: ReadonlySet<SaleId>,
  deadline: number,
): Promise<Known> {
  const known = new Map<SaleId, Offer | undefined>()
  const one = async (saleId: SaleId) => {
    try {
      known.set(saleId, await within(deadline - clock(), offers.of(saleId)))
    } catch (error) {
      log.warn('sale not looked up', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
  return known
}

/** Moves messages to the dead-letter queue; `comeAgain` are the ids of those that could not be. */
async function rejectAllToDlq<Invalid extends { source: QueueMessage; reason: string }>(
  ports: { deadLetters: DeadLetters } & Telemetry,
  invalid: readonly Invalid[],
): Promise<{ moved: Invalid[]; comeAgain: string[] }> {
  const isMoved = await Promise.all(invalid.map(({ source, reason }) => rejectToDlq(ports, source, reason)))
  const left = invalid.filter((_, index) => !isMoved[index])
  return { moved: invalid.filter((_, index) => isMoved[index]), comeAgain: left.map(({ source }) => source.messageId) }
}
