/** A marketer names the addresses of the shop that receive events, and sees what was sent. Safe to repeat (I5). */
import { isDeepStrictEqual } from 'node:util'
import {
  type EndpointInput,
  type EndpointView,
  type EventDelivery,
  eventBusName,
  maxEndpoints,
  maxSecrets,
  rotationMs,
} from '../../core/events/endpoint.ts'
import { testEventType } from '../../core/events/event.ts'
import { isDelivered, type PostAnswer, withReplayed } from '../../core/events/pending-events.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { newEventSecret, postEvent, sealEventSecret } from '../orders/events/post-event.ts'
import type { Actor } from '../sales/audit.ts'
import {
  allReceivers,
  type EventBusEndpoint,
  endpoints,
  type StoredEndpoint,
  wakeEndpoint,
} from '../table/events/endpoints.ts'
import { changePending, findFinished, listFinished, listPending } from '../table/events/pending.ts'
import { savedAfter, untilWritten } from './save-record.ts'

export type EndpointPorts = Pick<Shop, 'table' | 'hasEventBus' | 'clock' | 'newId' | 'postPublic' | 'sealer'> & {
  /** Whether this stage sends events. */
  sendsEvents: boolean
}

export type EndpointSaved =
  | { kind: 'saved'; endpoint: StoredEndpoint; secret: string | null }
  | { kind: 'full' }
  | { kind: 'unknown' }
  | { kind: 'is-bus' }

/** Saves the endpoint in the place of the one of that name. A new one gets a secret, which is shown this once. */
export function saveEndpoint(
  ports: EndpointPorts,
  actor: Actor,
  name: string,
  input: EndpointInput,
): Promise<EndpointSaved> {
  return untilWritten(name, () => saveOnce(ports, actor, name, input))
}

/** Undefined when another call has changed the endpoint meanwhile. */
async function saveOnce(
  ports: EndpointPorts,
  actor: Actor,
  name: string,
  { url, types, sales, enabled }: EndpointInput,
): Promise<EndpointSaved | undefined> {
  const { table, clock, sealer } = ports
  if (isBus(ports, name)) return { kind: 'is-bus' }
  const all = await endpoints.all(table)
  const former = all.find((one) => one.name === name)
  if (former === undefined && all.length >= maxEndpoints) return { kind: 'full' }
  const now = clock()
  const secret = former === undefined ? newEventSecret() : null
  const id = former?.id ?? ports.newId()
  const disabledBy = { true: undefined, false: 'marketer' as const, undefined: former?.disabledBy }[`${enabled}`]
  const endpoint: StoredEndpoint = {
    ...{ name, id, url, types, sales, disabledBy },
    ...{ savedAt: savedAfter(former, now), createdAt: former?.createdAt ?? now },
    secret: former?.secret ?? (await sealEventSecret(sealer, id, secret ?? '')),
    formerSecrets: former?.formerSecrets ?? [],
  }
  const isSame = former !== undefined && isDeepStrictEqual(settingsOf(former), settingsOf(endpoint))
  if (isSame) return { kind: 'saved', endpoint: former, secret }
  const audit = {
    ...({ ...actor, what: 'save-endpoint', saleId: null, when: now } as const),
    before: former === undefined ? null : settingsOf(former),
    after: settingsOf(endpoint),
  }
  if ((await endpoints.put(table, endpoint, audit, former)) === 'refused') return undefined
  // Events that were pending when the endpoint was disabled become due at once.
  if (former?.disabledBy !== undefined && disabledBy === undefined) await wakeEndpoint(table, id, now)
  return { kind: 'saved', endpoint, secret }
}

/**
 * Makes a new secret. The former ones sign beside it for a day, so that the receiver misses nothing in which order it ever
 * learns of the new one, also when the answer was lost and the call is repeated.
 */
export function rotateSecret(ports: EndpointPorts, actor: Actor, name: string): Promise<EndpointSaved> {
  return untilWritten(name, () => rotateOnce(ports, actor, name))
}

/** Undefined when another call has changed the endpoint meanwhile. */
async function rotateOnce(ports: EndpointPorts, actor: Actor, name: string): Promise<EndpointSaved | undefined> {
  const { table, clock, sealer } = ports
  if (isBus(ports, name)) return { kind: 'is-bus' }
  const former = await findEndpoint(ports, name)
  if (former === undefined) return { kind: 'unknown' }
  const now = clock()
  const secret = newEventSecret()
  const replaced = { secret: former.secret, until: now + rotationMs }
  const endpoint: StoredEndpoint = {
    ...former,
    secret: await sealEventSecret(sealer, former.id, secret),
    formerSecrets: [replaced, ...former.formerSecrets.filter(({ until }) => until > now)].slice(0, maxSecrets - 1),
    savedAt: savedAfter(former, now),
  }
  const audit = {
    ...({ ...actor, what: 'rotate-endpoint-secret', saleId: null, when: now } as const),
    before: { endpointName: name },
    after: { endpointName: name },
  }
  if ((await endpoints.put(table, endpoint, audit, former)) === 'refused') return undefined
  return { kind: 'saved', endpoint, secret }
}

/** Removes the endpoint of that name, if there is one, with what is pending for it. */
export async function removeEndpoint(
  { table, clock }: Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  name: string,
): Promise<void> {
  await endpoints.remove(table, name, {
    ...{ ...actor, what: 'delete-endpoint', saleId: null, when: clock() },
    before: { endpointName: name },
    after: null,
  })
}

/** Sends an event that is about nothing, at once and once, also to a disabled endpoint. */
export async function testEndpoint(
  ports: EndpointPorts,
  name: string,
): Promise<{ kind: 'sent'; answer: PostAnswer } | { kind: 'unknown' } | { kind: 'is-bus' }> {
  if (isBus(ports, name)) return { kind: 'is-bus' }
  const endpoint = await findEndpoint(ports, name)
  if (endpoint === undefined) return { kind: 'unknown' }
  const event = { id: `test_${ports.newId()}`, type: testEventType, at: ports.clock(), data: {} }
  return { kind: 'sent', answer: await postEvent(ports, endpoint, event) }
}

const maxListed = 100

/** What waits, the next to be tried first, then what is done, the newest first; undefined for an unknown endpoint. */
export async function listDeliveries(
  ports: Pick<Shop, 'table' | 'hasEventBus'>,
  name: string,
): Promise<EventDelivery[] | undefined> {
  const endpoint = await findReceiver(ports, name)
  if (endpoint === undefined) return undefined
  const [pending, finished] = await Promise.all([
    listPending(ports.table, endpoint.id, maxListed),
    listFinished(ports.table, endpoint.id, maxListed),
  ])
  const waiting = pending.flatMap(({ events, tries, status, failure, nextAt }) =>
    events.map(({ id, type, at }, index): EventDelivery => {
      const isFirst = index === 0 && tries > 0
      return {
        ...{ eventId: id, type, at, state: 'waiting', tries: isFirst ? tries : 0, finishedAt: null },
        ...{ status: isFirst ? (status ?? null) : null, failure: isFirst ? (failure ?? null) : null },
        nextAt: isFirst ? nextAt : null,
      }
    }),
  )
  const done = finished.map(({ event, state, tries, status, failure, at }): EventDelivery => {
    const { id, type, at: happenedAt } = event
    const answer = { status: status ?? null, failure: failure ?? null }
    return { eventId: id, type, at: happenedAt, state, tries, ...answer, nextAt: null, finishedAt: at }
  })
  return [...waiting.slice(0, maxListed), ...done]
}

/** Sends an event again that is done. One that waits already is sent once. */
export async function replayDelivery(
  ports: EndpointPorts,
  name: string,
  { eventId, finishedAt }: { eventId: string; finishedAt: number },
): Promise<'replayed' | 'unknown' | 'unknown-delivery'> {
  const { table, clock } = ports
  const endpoint = await findReceiver(ports, name)
  if (endpoint === undefined) return 'unknown'
  const event = await findFinished(table, endpoint.id, eventId, finishedAt)
  if (event === undefined) return 'unknown-delivery'
  await changePending(ports, endpoint.id, event.subject, (pending, now) => withReplayed(pending, event, now))
  await wakeEndpoint(table, endpoint.id, clock())
  return 'replayed'
}

async function findEndpoint({ table }: Pick<Shop, 'table'>, name: string) {
  return (await endpoints.all(table)).find((one) => one.name === name)
}

async function findReceiver(ports: Pick<Shop, 'table' | 'hasEventBus'>, name: string) {
  return (await allReceivers(ports)).find((one) => one.name === name)
}

/** The settings of the stage decide about its bus, and the function of these calls has no right to it. */
const isBus = ({ hasEventBus }: Pick<Shop, 'hasEventBus'>, name: string): boolean =>
  hasEventBus && name === eventBusName

/** The fields that a marketer decides, as the record of changes has them. */
function settingsOf({ name, url, types, sales, disabledBy }: StoredEndpoint) {
  return {
    ...{ endpointName: name, url, enabled: disabledBy === undefined },
    ...(types !== undefined && { types }),
    ...(sales !== undefined && { sales }),
  }
}

export function viewOfEndpoint(endpoint: StoredEndpoint | EventBusEndpoint, now: number): EndpointView {
  const { name, types, sales, disabledBy, savedAt } = endpoint
  const { url = '', formerSecrets = [] } = 'url' in endpoint ? endpoint : {}
  const until = Math.max(...formerSecrets.map((one) => one.until), 0)
  return {
    ...{ name, kind: 'url' in endpoint ? 'address' : 'bus', url },
    ...{ types: types ?? null, sales: sales ?? null, savedAt },
    state: disabledBy === undefined ? 'enabled' : disabledBy === 'gone' ? 'gone' : 'disabled',
    formerSecretUntil: until > now ? until : null,
  }
}

export const testAnswerOf = (answer: PostAnswer) => ({
  delivered: isDelivered(answer),
  status: 'status' in answer ? answer.status : null,
  failure: 'failure' in answer ? answer.failure : null,
})
