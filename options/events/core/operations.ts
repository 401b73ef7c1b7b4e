/** The operations of staff on the endpoints of events. */
import * as z from 'zod/mini'
import type { FullOperation } from '../../../core/api/operation.ts'
import { staffProblems } from '../../../core/api/problem-sets.ts'
import { maxControlBodyBytes } from '../../../core/body-limits.ts'
import { controlAnswers } from './answers.ts'
import { endpointInput, endpointName, finishedDelivery } from './endpoint.ts'

const maxBytes = maxControlBodyBytes
const noOptions = { maxBytes, schema: z.strictObject({}, 'must be an object'), optional: true } as const
/** A removal is never refused for the state of what it removes. */
const removal = { params: z.object({ name: endpointName }), problems: [...staffProblems, 'not-found'] } as const
const change = { ...removal, problems: [...staffProblems, 'conflict', 'not-found'] } as const

export const controlOperations = {
  listEventEndpoints: { ...controlAnswers.listEventEndpoints, problems: staffProblems },
  saveEventEndpoint: { ...controlAnswers.saveEventEndpoint, ...change, body: { maxBytes, schema: endpointInput } },
  deleteEventEndpoint: { ...controlAnswers.deleteEventEndpoint, ...removal },
  rotateEventSecret: { ...controlAnswers.rotateEventSecret, ...change, body: noOptions },
  testEventEndpoint: { ...controlAnswers.testEventEndpoint, ...change, body: noOptions },
  listEventDeliveries: { ...controlAnswers.listEventDeliveries, ...change },
  replayEventDelivery: {
    ...controlAnswers.replayEventDelivery,
    ...change,
    body: { maxBytes, schema: finishedDelivery },
  },
} as const satisfies Record<string, FullOperation>
