/** The function `events` over a table in memory, with a clock of its own, a receiver that fails on command, and a queue. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { DynamoDBRecord } from 'aws-lambda'
import type { Order } from '../../../../core/orders/order.ts'
import { createSealer } from '../../../../functions/lib/sealer.ts'
import { matchesAny } from '../../../../local/lambda/stream-source.ts'
import { checkEvent } from '../../../../proof/described-api.ts'
import { recordOf, recordOfOrder } from '../../../../test/functions/people/mail-rig.ts'
import { worldTable } from '../../../../test/world/table.ts'
import { testTelemetry } from '../../../../test/world/telemetry.ts'
import { type CollectPorts, collectEvents, readEventChange } from '../../functions/collect-events.ts'
import { endpointWakeKey } from '../../functions/keys.ts'
import { newEventSecret, sealEventSecret } from '../../functions/post-event.ts'
import { type SendEventsPorts, sendEvents } from '../../functions/send-events.ts'
import { wakeEndpoints } from '../../functions/steps.ts'
import { endpoints, type StoredEndpoint } from '../../functions/table.ts'
import { functions } from '../../system/functions.ts'

export const startedAt = Date.UTC(2026, 10, 22, 8)

/** The changes of records that the event source passes on, some of which were inserted and some modified. */
const changesPassed = (records: readonly DynamoDBRecord[]) =>
  records
    .filter((record) =>
      (['INSERT', 'MODIFY'] as const).some((eventName) =>
        matchesAny(functions.streamed.events.filters)({ ...record, eventName }),
      ),
    )
    .flatMap((record) => readEventChange(record) ?? [])

type Post = { url: string; headers: Readonly<Record<string, string>>; body: string; at: number }

export function eventRig(random: () => number = () => 0.5) {
  const { table } = worldTable()
  const time = { now: startedAt }
  const clock = () => time.now
  const telemetry = testTelemetry()
  const sealer = createSealer([Buffer.alloc(32, 3).toString('base64')], clock)
  const posts: Post[] = []
  /** The answer of the receiver to a post: a status, or an error to throw. */
  let answer: (post: Post) => Promise<number> = async () => 204
  /** Messages that wake the sender, by the time at which they arrive. */
  const messages: { at: number; body: string }[] = []
  const ports: CollectPorts & SendEventsPorts = {
    table,
    clock,
    random,
    sleep: async () => {},
    sealer,
    async wakeSender(endpointId, delaySeconds, isRepeat) {
      messages.push({ at: time.now + delaySeconds * 1000, body: JSON.stringify({ endpointId, isRepeat }) })
    },
    async postPublic(url, headers, body) {
      const post = { url, headers, body, at: time.now }
      const status = await answer(post)
      posts.push(post)
      return status
    },
    ...telemetry,
  }
  let isKilled = false
  const mortal = new Proxy(table.client, {
    get(client, name) {
      if (isKilled) throw new Error('the function was killed')
      return Reflect.get(client, name).bind(client)
    },
  })
  /** One invocation of the sender with the messages that have arrived; those of a failed one come again in a minute. */
  async function send(deadline = time.now + 10_000): Promise<string[]> {
    const before = posts.length
    const due = messages.filter(({ at }) => at <= time.now).slice(0, 10)
    for (const one of due) messages.splice(messages.indexOf(one), 1)
    if (due.length === 0) return []
    const batch = due.map(({ body }, index) => ({ messageId: String(index), body }))
    isKilled = false
    const failed = await sendEvents({ ...ports, table: { ...table, client: mortal } }, batch, deadline).catch(() =>
      batch.map(({ messageId }) => messageId),
    )
    for (const { messageId, body } of batch) {
      if (failed.includes(messageId)) messages.push({ at: time.now + 60_000, body })
    }
    for (const { body } of posts.slice(before)) checkEvent(body)
    return failed
  }
  return {
    ...{ ports, table, time, clock, telemetry, sealer, posts, messages, send },
    /** From now on nothing more of the running invocation happens. */
    kill(): never {
      isKilled = true
      throw new Error('the function was killed')
    },
    answerWith(next: (post: Post) => Promise<number>) {
      answer = next
    },
    /** An endpoint that receives everything, unless changed; its secret. */
    async endpoint(name: string, change: Partial<StoredEndpoint> = {}): Promise<string> {
      const secret = newEventSecret()
      const id = change.id ?? `id-of-${name}`
      const stored: StoredEndpoint = {
        ...{ name, id, url: `https://${name}.example/events`, types: undefined, sales: undefined },
        ...{ secret: await sealEventSecret(sealer, id, secret), formerSecrets: [], disabledBy: undefined },
        ...{ createdAt: startedAt - 86_400_000, savedAt: startedAt, ...change },
      }
      await endpoints.save(ports, { actor: { who: 'mia', requestId: 'r' }, name }, async () => stored)
      return secret
    },
    collect: (...records: DynamoDBRecord[]) => collectEvents(ports, changesPassed(records)),
    /** The stream has these orders as they are now. */
    write: (...orders: Order[]) => collectEvents(ports, changesPassed(orders.map(recordOfOrder))),
    /** The work of the scheduled repair, and what the stream makes of it. */
    async sweep() {
      await wakeEndpoints(ports)
      for (const { id } of await endpoints.all(table)) {
        const Key = endpointWakeKey(id)
        const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }))
        if (Item?.at === time.now) await collectEvents(ports, changesPassed([recordOf(Item)]))
      }
    },
    /** The posts, as `<id of the event> <type>`. */
    seen: () => posts.map(({ headers, body }) => `${headers['webhook-id']} ${JSON.parse(body).type}`),
  }
}

export type EventRig = ReturnType<typeof eventRig>

/** Lets time pass in steps until nothing is pending that has a message, or `until` (epoch ms). */
export async function runUntil(rig: EventRig, until: number, stepMs: number): Promise<void> {
  while (rig.time.now < until) {
    const next = Math.min(...rig.messages.map(({ at }) => at), rig.time.now + stepMs)
    rig.time.now = Math.min(Math.max(next, rig.time.now + 1), until)
    await rig.sweep()
    await rig.send()
  }
}
