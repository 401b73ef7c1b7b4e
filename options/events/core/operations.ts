/** The operations of staff on event endpoints, and their answers. */
import * as z from 'zod/mini'
import { bodyOf, listAnswer, noOptions, removal } from '../../../core/api/operation-parts.ts'
import { staffProblems } from '../../../core/api/problem-sets.ts'
import type { OperationsSeam } from '../../../core/seams.ts'
import {
  endpointInput,
  endpointName,
  endpointView,
  eventDelivery,
  finishedDelivery,
  savedEndpoint,
  testAnswer,
} from './endpoint.ts'
import { names } from './names.ts'

const { routes } = names
const ofEndpoint = { params: z.object({ name: endpointName }) } as const
const change = { ...ofEndpoint, problems: [...staffProblems, 'conflict', 'not-found'] } as const

export const operations = {
  listEventEndpoints: {
    ...routes.listEventEndpoints,
    ...{ answer: listAnswer('endpoints', endpointView), problems: staffProblems },
  },
  saveEventEndpoint: { ...routes.saveEventEndpoint, answer: savedEndpoint, ...change, body: bodyOf(endpointInput) },
  deleteEventEndpoint: {
    ...routes.deleteEventEndpoint,
    ...{ answer: z.object({ name: z.string() }), ...removal, ...ofEndpoint },
  },
  rotateEventSecret: { ...routes.rotateEventSecret, answer: savedEndpoint, ...change, body: noOptions },
  testEventEndpoint: { ...routes.testEventEndpoint, answer: testAnswer, ...change, body: noOptions },
  listEventDeliveries: {
    ...routes.listEventDeliveries,
    ...{ answer: listAnswer('deliveries', eventDelivery), ...change },
  },
  replayEventDelivery: {
    ...routes.replayEventDelivery,
    ...{ answer: z.object({ eventId: z.string() }), ...change, body: bodyOf(finishedDelivery) },
  },
} as const satisfies OperationsSeam
