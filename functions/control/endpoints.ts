/** `/api/control/event-endpoints`: a marketer names the addresses of the shop that receive events, and sees what was sent. Safe to repeat (I5). */
import { isDeepStrictEqual } from 'node:util'
import { controlOperations } from '../../core/api/control-requests.ts'
import {
  type EndpointInput,
  type EndpointView,
  type EventDelivery,
  eventBusName,
  maxEndpoints,
  maxSecrets,
  rotationMs,
  type SavedEndpoint,
} from '../../core/events/endpoint.ts'
import { testEventType } from '../../core/events/event.ts'
import { isDelivered, withReplayed } from '../../core/events/pending-events.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
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
import { refusal } from './answers.ts'
import { onControl } from './entrance.ts'
import { savedAfter, untilWritten } from './save-record.ts'

export type EndpointPorts = Pick<Shop, 'table' | 'hasEventBus' | 'clock' | 'newId' | 'postPublic' | 'sealer'> & {
  /** Whether this stage sends events. */
  sendsEvents: boolean
}

/** What a marketer changes, and which endpoint. */
type Change = { actor: Actor; name: string }

const unknownEndpoint = () => refusal({ reason: 'unknown-endpoint' })

/**
 * Saves the endpoint in the place of the one of that name. A new one gets a secret, which is shown this once. Undefined when
 * another call has changed the endpoint meanwhile.
 */
async function saveEndpoint(
  ports: EndpointPorts,
  { actor, name }: Change,
  { url, types, sales, enabled }: EndpointInput,
): Promise<SavedEndpoint | HttpAnswer | undefined> {
  const { table, clock, sealer } = ports
  if (isBus(ports, name)) return refusal({ reason: 'event-bus' })
  const all = await endpoints.all(table)
  const former = all.find((one) => one.name === name)
  if (former === undefined && all.length >= maxEndpoints) {
    return refusal({ reason: 'endpoints-full', values: { limit: maxEndpoints } })
  }
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
  if (isSame) return { endpoint: viewOf(former, now), secret }
  const audit = {
    ...({ ...actor, what: 'save-endpoint', saleId: null, when: now } as const),
    before: former === undefined ? null : settingsOf(former),
    after: settingsOf(endpoint),
  }
  if ((await endpoints.put(table, endpoint, audit, former)) === 'refused') return undefined
  // Events that were pending when the endpoint was disabled become due at once.
  if (former?.disabledBy !== undefined && disabledBy === undefined) await wakeEndpoint(table, id, now)
  return { endpoint: viewOf(endpoint, now), secret }
}

/**
 * Makes a new secret. The former ones sign beside it for a day, so that the receiver misses nothing in which order it ever
 * learns of the new one, also when the answer was lost and the call is repeated. Undefined as `saveEndpoint` says.
 */
async function rotateSecret(
  ports: EndpointPorts,
  { actor, name }: Change,
): Promise<SavedEndpoint | HttpAnswer | undefined> {
  const { table, clock, sealer } = ports
  const former = await findEndpoint(ports, name)
  if ('statusCode' in former) return former
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
  return { endpoint: viewOf(endpoint, now), secret }
}

export const endpointRoutes = [
  onControl(controlOperations.listEventEndpoints, async (ports: Pick<Shop, 'table' | 'hasEventBus' | 'clock'>) => ({
    endpoints: (await allReceivers(ports)).map((endpoint) => viewOf(endpoint, ports.clock())),
  })),
  onControl(controlOperations.saveEventEndpoint, async (ports: EndpointPorts, { actor, params: { name }, body }) =>
    ports.sendsEvents
      ? untilWritten(name, () => saveEndpoint(ports, { actor, name }, body))
      : refusal({ reason: 'events-off' }),
  ),
  onControl(controlOperations.rotateEventSecret, async (ports: EndpointPorts, { actor, params: { name } }) =>
    untilWritten(name, () => rotateSecret(ports, { actor, name })),
  ),
  // What is pending for it goes with it.
  onControl(
    controlOperations.deleteEventEndpoint,
    async ({ table, clock }: Pick<Shop, 'table' | 'clock'>, { actor, params: { name } }) => {
      await endpoints.remove(table, name, {
        ...{ ...actor, what: 'delete-endpoint', saleId: null, when: clock() },
        before: { endpointName: name },
        after: null,
      })
      return { name }
    },
  ),
  // An event that is about nothing, sent at once and once, also to a disabled endpoint.
  onControl(controlOperations.testEventEndpoint, async (ports: EndpointPorts, { params: { name } }) => {
    const endpoint = await findEndpoint(ports, name)
    if ('statusCode' in endpoint) return endpoint
    const event = { id: `test_${ports.newId()}`, type: testEventType, at: ports.clock(), data: {} }
    const answer = await postEvent(ports, endpoint, event)
    return {
      delivered: isDelivered(answer),
      status: 'status' in answer ? answer.status : null,
      failure: 'failure' in answer ? answer.failure : null,
    }
  }),
  onControl(
    controlOperations.listEventDeliveries,
    async (ports: Pick<Shop, 'table' | 'hasEventBus'>, { params: { name } }) => {
      const endpoint = await findReceiver(ports, name)
      return endpoint === undefined ? unknownEndpoint() : { deliveries: await listDeliveries(ports, endpoint.id) }
    },
  ),
  // Sends an event again that is done. One that waits already is sent once.
  onControl(
    controlOperations.replayEventDelivery,
    async (ports: EndpointPorts, { params: { name }, body: { eventId, finishedAt } }) => {
      const { table, clock } = ports
      const endpoint = await findReceiver(ports, name)
      if (endpoint === undefined) return unknownEndpoint()
      const event = await findFinished(table, endpoint.id, eventId, finishedAt)
      if (event === undefined) return refusal({ reason: 'unknown-delivery' })
      await changePending(ports, endpoint.id, event.subject, (pending, now) => withReplayed(pending, event, now))
      await wakeEndpoint(table, endpoint.id, clock())
      return { eventId }
    },
  ),
]

const maxListed = 100

/** What waits, the next to be tried first, then what is done, the newest first. */
async function listDeliveries({ table }: Pick<Shop, 'table'>, endpointId: string): Promise<EventDelivery[]> {
  const [pending, finished] = await Promise.all([
    listPending(table, endpointId, maxListed),
    listFinished(table, endpointId, maxListed),
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

/** The endpoint, which a marketer may change and test; else why not. */
async function findEndpoint(
  ports: Pick<Shop, 'table' | 'hasEventBus'>,
  name: string,
): Promise<StoredEndpoint | HttpAnswer> {
  if (isBus(ports, name)) return refusal({ reason: 'event-bus' })
  return (await endpoints.all(ports.table)).find((one) => one.name === name) ?? unknownEndpoint()
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

function viewOf(endpoint: StoredEndpoint | EventBusEndpoint, now: number): EndpointView {
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
