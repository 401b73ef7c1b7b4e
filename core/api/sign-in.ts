/** The operations of the sign-in. A browser visits the first two, so these answer pages, and their problems are pages too. */
import * as z from 'zod/mini'
import { signInRoute } from '../people/sign-in-paths.ts'
import type { FullOperation } from './operation.ts'

const visit = {
  method: 'GET',
  status: 303,
  media: 'text/html',
  answer: z.string(),
  problems: ['not-found', 'method-not-allowed', 'too-many-requests', 'unavailable'],
} as const

const ofSession = {
  method: 'POST',
  problems: [
    ...['not-found', 'method-not-allowed', 'too-large', 'origin-not-allowed', 'sign-in-required'],
    ...['too-many-requests', 'unavailable'],
  ],
} as const

export const signInApi = {
  beginSignIn: { ...visit, path: signInRoute },
  finishSignIn: {
    ...visit,
    path: `${signInRoute}/callback`,
    problems: ['invalid-request', ...visit.problems],
  },
  refreshSession: {
    ...ofSession,
    path: `${signInRoute}/refresh`,
    answer: z.object({ expiresInSeconds: z.number() }),
  },
  endSession: {
    ...ofSession,
    path: `${signInRoute}/end`,
    answer: z.object({ endSessionUrl: z.optional(z.string()) }),
  },
} as const satisfies Record<string, FullOperation>
