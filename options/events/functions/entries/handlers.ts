/** `/api/control/event-endpoints`: marketers manage the endpoints that receive events, and see their deliveries. Safe to repeat (I5). */
import * as z from 'zod/mini'
import { refusal, viewAs } from '../../../../functions/control/answers.ts'
import { onControl } from '../../../../functions/control/staff.ts'
import type { HandlersSeam } from '../../../../functions/entries/seams.ts'
import { invalid } from '../../../../functions/lib/http/answer.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopContext } from '../../../../functions/lib/shop/shop.ts'
import {
  busScheme,
  type EndpointView,
  type EventDelivery,
  endpointView,
  eventDelivery,
  maxEndpoints,
  maxSecrets,
  rotationMs,
  testAnswer,
} from '../../core/endpoint.ts'
import { testEventType } from '../../core/names.ts'
import { operations } from '../../core/operations.ts'
import { isDelivered, withReplayed } from '../../core/pending-events.ts'
import { newEventSecret, type PostEventPorts, postEvent, sealEventSecret } from '../post-event.ts'
import {
  changePending,
  endpoints,
  findFinished,
  listFinished,
  listPending,
  type StoredEndpoint,
  wakeEndpoint,
} from '../table.ts'
import { endpointPost, endpointVariables } from './event-bus.eventbridge.ts'

export type EndpointPorts = Pick<ShopContext, 'table' | 'newId'> &
  PostEventPorts & {
    /** True when this stage sends events. */
    sendsEvents: boolean
    /** The name of its bus of EventBridge. */
    eventBus?: string | undefined
  }

const unknownEndpoint = () => refusal({ reason: 'unknown-endpoint' })

const findEndpoint = async ({ table }: EndpointPorts, name: string) =>
  (await endpoints.all(table)).find((one) => one.name === name)

export const endpointRoutes = [
  onControl(operations.listEventEndpoints, async ({ table, clock }: EndpointPorts) => ({
    endpoints: (await endpoints.all(table)).map((endpoint) => viewOf(endpoint, clock())),
  })),
  // A new endpoint gets a secret, which is shown only once. A bus shows none, because nothing is signed for it.
  onControl(operations.saveEventEndpoint, async (ports: EndpointPorts, { actor, params: { name }, body }) => {
    const { table, clock, sealer, newId, eventBus } = ports
    const { url, types, sales, enabled } = body
    if (!ports.sendsEvents) return refusal({ reason: 'events-off' })
    const isBus = url.startsWith(busScheme)
    const bus = eventBus && busScheme + eventBus
    if (isBus && url !== bus) return invalid('url', `url must be ${bus ?? 'an https address: this stage has no bus'}`)
    let secret: string | null = null
    const saved = await endpoints.save(ports, { actor, name }, async (former) => {
      const id = former?.id ?? newId()
      const disabledBy = { true: undefined, false: 'marketer' as const, undefined: former?.disabledBy }[`${enabled}`]
      const made = newEventSecret()
      secret = former === undefined && !isBus ? made : null
      return {
        ...{ id, url, types, sales, disabledBy, createdAt: former?.createdAt ?? clock() },
        secret: former?.secret ?? (await sealEventSecret(sealer, id, made)),
        formerSecrets: former?.formerSecrets ?? [],
      }
    })
    if (saved === 'full') return refusal({ reason: 'endpoints-full', values: { limit: maxEndpoints } })
    if ('statusCode' in saved) return saved
    // Events that were pending when the endpoint was disabled are due at once.
    if (enabled === true) await wakeEndpoint(table, saved.id, clock())
    return { endpoint: viewOf(saved, clock()), secret }
  }),
  // The former secrets sign for another day, so that the receiver can verify every event whenever it gets the new one, also when
  // the answer was lost and the call is repeated.
  onControl(operations.rotateEventSecret, async (ports: EndpointPorts, { actor, params: { name } }) => {
    const { clock, sealer } = ports
    const secret = newEventSecret()
    const change = { actor, name, what: 'rotate-endpoint-secret' } as const
    const saved = await endpoints.save(ports, change, async (former) => {
      if (former === undefined) return unknownEndpoint()
      const now = clock()
      const replaced = { secret: former.secret, until: now + rotationMs }
      const formerSecrets = [replaced, ...former.formerSecrets.filter(({ until }) => until > now)]
      const sealed = await sealEventSecret(sealer, former.id, secret)
      return { ...former, secret: sealed, formerSecrets: formerSecrets.slice(0, maxSecrets - 1) }
    })
    if (saved === 'full') return unknownEndpoint()
    return 'statusCode' in saved ? saved : { endpoint: viewOf(saved, clock()), secret }
  }),
  // Its pending events are dropped.
  onControl(operations.deleteEventEndpoint, async (ports: EndpointPorts, { actor, params: { name } }) =>
    endpoints.remove(ports, { actor, name }),
  ),
  // The test event is sent immediately and only once, also to a disabled endpoint.
  onControl(operations.testEventEndpoint, async (ports: EndpointPorts, { params: { name } }) => {
    const endpoint = await findEndpoint(ports, name)
    if (endpoint === undefined) return unknownEndpoint()
    const event = { id: `test_${ports.newId()}`, type: testEventType, at: ports.clock(), data: {} }
    const answer = await postEvent(ports, endpoint, event)
    return viewAs(testAnswer, { ...answer, delivered: isDelivered(answer) })
  }),
  onControl(operations.listEventDeliveries, async (ports: EndpointPorts, { params: { name } }) => {
    const endpoint = await findEndpoint(ports, name)
    return endpoint === undefined ? unknownEndpoint() : { deliveries: await listDeliveries(ports, endpoint.id) }
  }),
  // Resends a finished event. One that is already pending is not added twice.
  onControl(operations.replayEventDelivery, async (ports: EndpointPorts, { params: { name }, body }) => {
    const { table, clock } = ports
    const endpoint = await findEndpoint(ports, name)
    if (endpoint === undefined) return unknownEndpoint()
    const event = await findFinished(table, endpoint.id, body.eventId, body.finishedAt)
    if (event === undefined) return refusal({ reason: 'unknown-delivery' })
    await changePending(ports, endpoint.id, event.subject, (pending, now) => withReplayed(pending, event, now))
    await wakeEndpoint(table, endpoint.id, clock())
    return { eventId: body.eventId }
  }),
]

const maxListed = 100

/** Returns pending deliveries, the next due first, then finished ones, the newest first. */
async function listDeliveries({ table }: Pick<ShopContext, 'table'>, endpointId: string): Promise<EventDelivery[]> {
  const [pending, finished] = await Promise.all([
    listPending(table, endpointId, maxListed),
    listFinished(table, endpointId, maxListed),
  ])
  const waiting = pending.flatMap(({ events, ...last }) =>
    events.map(({ id: eventId, type, at }, index) => {
      const isTried = index === 0 && last.tries > 0
      return viewAs(eventDelivery, { tries: 0, ...(isTried && last), eventId, type, at, state: 'waiting' })
    }),
  )
  const done = finished.map(({ event: { id: eventId, type, at }, at: finishedAt, ...last }) =>
    viewAs(eventDelivery, { ...last, eventId, type, at, nextAt: null, finishedAt }),
  )
  return [...waiting.slice(0, maxListed), ...done]
}

function viewOf(endpoint: StoredEndpoint, now: number): EndpointView {
  const until = Math.max(...endpoint.formerSecrets.map((one) => one.until), 0)
  return {
    ...viewAs(endpointView, endpoint),
    state: ({ gone: 'gone', marketer: 'disabled', undefined: 'enabled' } as const)[`${endpoint.disabledBy}`],
    formerSecretUntil: until > now ? until : null,
  }
}

const variables = { SENDS_EVENTS: z.optional(z.literal('yes')), ...endpointVariables }

export const handlers = {
  variables,
  routes: (ports, env) =>
    withPorts(endpointRoutes, {
      ...ports,
      sendsEvents: env.SENDS_EVENTS === 'yes',
      eventBus: env.EVENT_BUS,
      postPublic: endpointPost(env),
    }),
} satisfies HandlersSeam<typeof variables>
