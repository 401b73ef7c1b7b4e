/** What `delivery` answers of endpoints, whose secrets are sealed with its keys. */
import * as z from 'zod/mini'
import { readEnvironment } from '../../../../functions/lib/env.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { PersonalRoutes } from '../../../../functions/people/personal-data-routes.ts'
import { endpointRoutes } from '../endpoint-routes.ts'
import { endpointPost, endpointVariables } from './event-bus.eventbridge.ts'

const endpointCalls: PersonalRoutes = (ports, env) => {
  const own = readEnvironment({ SENDS_EVENTS: z.optional(z.literal('yes')), ...endpointVariables }, env)
  return withPorts(endpointRoutes, {
    ...ports,
    sendsEvents: own.SENDS_EVENTS === 'yes',
    eventBus: own.EVENT_BUS,
    postPublic: endpointPost(own),
  })
}

export const personalRoutes = [endpointCalls] as const
