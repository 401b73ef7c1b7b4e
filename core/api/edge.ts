/** The operations that the edge answers itself, before any function. Times are epoch ms. */
import * as z from 'zod/mini'
import { maxChallengeBytes } from '../body-limits.ts'
import { challengeRequest } from '../gate/challenge-request.ts'
import { customerRoute } from '../people/sign-in-paths.ts'
import type { FullOperation } from './operation.ts'
import { saleParams } from './operation-parts.ts'
import { changeProblems, readProblems } from './problem-sets.ts'

/** An ALTCHA challenge to solve, the parameters of Turnstile's widget, or the ticket for a valid token of the widget. */
const challenge = z.union([
  z.object({ parameters: z.looseObject({}), signature: z.string() }),
  z.object({ turnstile: z.object({ siteKey: z.string(), action: z.string(), cData: z.string() }) }),
  z.object({ ticket: z.string(), expiresAt: z.number() }),
])

export const edgeApi = {
  getTime: { method: 'GET', path: '/api/time', answer: z.object({ now: z.number() }), problems: ['too-large'] },
  getPass: { method: 'GET', path: '/api/pass', answer: z.object({ pass: z.string() }), problems: readProblems },
  openCustomerSession: {
    method: 'POST',
    path: customerRoute,
    answer: z.object({ shopperId: z.string(), name: z.string(), expiresInSeconds: z.number() }),
    problems: [...changeProblems, 'conflict'],
  },
  requestChallenge: {
    method: 'POST',
    path: '/api/sales/:saleId/challenge',
    params: saleParams,
    body: {
      maxBytes: maxChallengeBytes,
      schema: challengeRequest,
      optional: true,
    },
    answer: challenge,
    problems: [
      ...changeProblems,
      ...['not-found', 'conflict', 'unknown-sale', 'paused', 'ended', 'level-too-low', 'challenge-failed'],
    ],
  },
} as const satisfies Record<string, FullOperation>
