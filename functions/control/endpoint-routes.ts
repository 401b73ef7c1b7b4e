/** `/api/control/event-endpoints`: where the shop receives events, and what was sent there. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { maxEndpoints } from '../../core/events/endpoint.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { allReceivers } from '../table/events/endpoints.ts'
import { refusal } from './answers.ts'
import {
  type EndpointPorts,
  type EndpointSaved,
  listDeliveries,
  removeEndpoint,
  replayDelivery,
  rotateSecret,
  saveEndpoint,
  testAnswerOf,
  testEndpoint,
  viewOfEndpoint,
} from './endpoints.ts'
import { onControl } from './entrance.ts'

const unknownEndpoint = () => refusal({ reason: 'unknown-endpoint' })
const isBus = () => refusal({ reason: 'event-bus' })
const eventsOff = () => refusal({ reason: 'events-off' })

function answerOf(outcome: EndpointSaved, now: number) {
  switch (outcome.kind) {
    case 'saved':
      return { endpoint: viewOfEndpoint(outcome.endpoint, now), secret: outcome.secret }
    case 'full':
      return refusal({ reason: 'endpoints-full', values: { limit: maxEndpoints } })
    case 'unknown':
      return unknownEndpoint()
    case 'is-bus':
      return isBus()
  }
}

export const endpointRoutes = [
  onControl(controlOperations.listEventEndpoints, async (ports: Pick<Shop, 'table' | 'hasEventBus' | 'clock'>) => ({
    endpoints: (await allReceivers(ports)).map((endpoint) => viewOfEndpoint(endpoint, ports.clock())),
  })),
  onControl(controlOperations.saveEventEndpoint, async (ports: EndpointPorts, { actor, params: { name }, body }) => {
    return ports.sendsEvents ? answerOf(await saveEndpoint(ports, actor, name, body), ports.clock()) : eventsOff()
  }),
  onControl(controlOperations.rotateEventSecret, async (ports: EndpointPorts, { actor, params: { name } }) => {
    return answerOf(await rotateSecret(ports, actor, name), ports.clock())
  }),
  onControl(
    controlOperations.deleteEventEndpoint,
    async (ports: Pick<Shop, 'table' | 'clock'>, { actor, params: { name } }) => {
      await removeEndpoint(ports, actor, name)
      return { name }
    },
  ),
  onControl(controlOperations.testEventEndpoint, async (ports: EndpointPorts, { params: { name } }) => {
    const tested = await testEndpoint(ports, name)
    if (tested.kind === 'is-bus') return isBus()
    return tested.kind === 'unknown' ? unknownEndpoint() : testAnswerOf(tested.answer)
  }),
  onControl(
    controlOperations.listEventDeliveries,
    async (ports: Pick<Shop, 'table' | 'hasEventBus'>, { params: { name } }) => {
      const deliveries = await listDeliveries(ports, name)
      return deliveries === undefined ? unknownEndpoint() : { deliveries }
    },
  ),
  onControl(controlOperations.replayEventDelivery, async (ports: EndpointPorts, { params: { name }, body }) => {
    const replayed = await replayDelivery(ports, name, body)
    if (replayed === 'unknown') return unknownEndpoint()
    return replayed === 'unknown-delivery' ? refusal({ reason: 'unknown-delivery' }) : { eventId: body.eventId }
  }),
]
