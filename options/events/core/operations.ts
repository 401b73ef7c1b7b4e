/** The operations of staff on the endpoints of events. */
import * as z from 'zod/mini'
import type { FullOperation } from '../../../core/api/operation.ts'
import { bodyOf, noOptions, removal } from '../../../core/api/operation-parts.ts'
import { staffProblems } from '../../../core/api/problem-sets.ts'
import { controlAnswers } from './answers.ts'
import { endpointInput, endpointName, finishedDelivery } from './endpoint.ts'

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
