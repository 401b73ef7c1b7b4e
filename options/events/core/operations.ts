/** The operations of staff on the endpoints of events, their answers, and the names of what events do that the console shows. */
import * as z from 'zod/mini'
import type { FullOperation } from '../../../core/api/operation.ts'
import { bodyOf, listAnswer, noOptions, removal } from '../../../core/api/operation-parts.ts'
import { staffProblems } from '../../../core/api/problem-sets.ts'
import {
  endpointInput,
  endpointName,
  endpointView,
  eventDelivery,
  finishedDelivery,
  savedEndpoint,
  testAnswer,
} from './endpoint.ts'
import { controlRoutes } from './option.ts'

export const controlAnswers = {
  listEventEndpoints: { ...controlRoutes.listEventEndpoints, answer: listAnswer('endpoints', endpointView) },
  saveEventEndpoint: { ...controlRoutes.saveEventEndpoint, answer: savedEndpoint },
  deleteEventEndpoint: { ...controlRoutes.deleteEventEndpoint, answer: z.object({ name: z.string() }) },
  rotateEventSecret: { ...controlRoutes.rotateEventSecret, answer: savedEndpoint },
  testEventEndpoint: { ...controlRoutes.testEventEndpoint, answer: testAnswer },
  listEventDeliveries: { ...controlRoutes.listEventDeliveries, answer: listAnswer('deliveries', eventDelivery) },
  replayEventDelivery: { ...controlRoutes.replayEventDelivery, answer: z.object({ eventId: z.string() }) },
} as const

/** How long the console waits for the answer, ms: an endpoint may take ten seconds. */
export const slowCalls = { testEventEndpoint: 15_000 } as const

export const auditActions = ['save-endpoint', 'rotate-endpoint-secret', 'delete-endpoint'] as const

/** Facts of endpoints in the audit log, whose texts are shown as they are. */
export const auditFacts = ['endpointName', 'url', 'types', 'sales', 'enabled'] as const

export const workers = { events: 'options/events/README.md#late-events' } as const

const ofEndpoint = { params: z.object({ name: endpointName }) } as const
const change = { ...ofEndpoint, problems: [...staffProblems, 'conflict', 'not-found'] } as const

export const controlOperations = {
  listEventEndpoints: { ...controlAnswers.listEventEndpoints, problems: staffProblems },
  saveEventEndpoint: { ...controlAnswers.saveEventEndpoint, ...change, body: bodyOf(endpointInput) },
  deleteEventEndpoint: { ...controlAnswers.deleteEventEndpoint, ...removal, ...ofEndpoint },
  rotateEventSecret: { ...controlAnswers.rotateEventSecret, ...change, body: noOptions },
  testEventEndpoint: { ...controlAnswers.testEventEndpoint, ...change, body: noOptions },
  listEventDeliveries: { ...controlAnswers.listEventDeliveries, ...change },
  replayEventDelivery: { ...controlAnswers.replayEventDelivery, ...change, body: bodyOf(finishedDelivery) },
} as const satisfies Record<string, FullOperation>
