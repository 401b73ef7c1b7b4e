/** What `delivery` answers of endpoints, whose secrets are sealed with its keys. */
import * as z from 'zod/mini'
import { nonEmpty, readEnvironment } from '../../../../functions/lib/env.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import { publicPost } from '../../../../functions/lib/http/public-http.ts'
import type { PersonalRoutes } from '../../../../functions/people/personal-data-routes.ts'
import { endpointRoutes } from '../endpoint-routes.ts'
import { postOrPut } from './event-bus.eventbridge.ts'

const endpointCalls: PersonalRoutes = (ports, env) => {
  const { SENDS_EVENTS, EVENT_BUS, PUBLIC_ADDRESSES } = readEnvironment(
    {
      SENDS_EVENTS: z.optional(z.literal('yes')),
      EVENT_BUS: z.optional(nonEmpty),
      PUBLIC_ADDRESSES: z.optional(z.literal('any')),
    },
    env,
  )
  return withPorts(endpointRoutes, {
    ...ports,
    sendsEvents: SENDS_EVENTS === 'yes',
    eventBus: EVENT_BUS,
    postPublic: postOrPut(publicPost({ allowsAnyAddress: PUBLIC_ADDRESSES === 'any' }), EVENT_BUS),
  })
}

export const personalRoutes = [endpointCalls] as const
