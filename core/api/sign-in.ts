/** The operations of the sign-in. Browsers navigate to the first two, so their answers and problems are pages. */
import * as z from 'zod/mini'
import { signInRoute } from '../people/sign-in-paths.ts'
import type { FullOperation } from './operation.ts'
import { publicProblems } from './problem-sets.ts'

const visit = {
  method: 'GET',
  status: 303,
  media: 'text/html',
  answer: z.string(),
  problems: [...publicProblems, 'blocked', 'too-many-requests', 'not-found'],
} as const

const ofSession = {
  method: 'POST',
  problems: [...publicProblems, 'unsupported-media-type', 'origin-not-allowed', 'too-many-requests', 'not-found'],
} as const

export const signInApi = {
  beginSignIn: { ...visit, path: signInRoute },
  finishSignIn: { ...visit, path: `${signInRoute}/callback` },
  refreshSession: {
    ...ofSession,
    path: `${signInRoute}/refresh`,
    problems: [...ofSession.problems, 'sign-in-required'],
    answer: z.object({ expiresInSeconds: z.number() }),
  },
  endSession: {
    ...ofSession,
    path: `${signInRoute}/end`,
    answer: z.object({ endSessionUrl: z.optional(z.string()) }),
  },
} as const satisfies Record<string, FullOperation>
