/** The operations behind the link of an e-mail, which the token of the address identifies. They answer pages. */
import * as z from 'zod/mini'
import { unsubscribeRoute } from '../people/unsubscribe-path.ts'
import type { FullOperation } from './operation.ts'
import { openProblems } from './problem-sets.ts'

const page = {
  path: unsubscribeRoute,
  media: 'text/html',
  answer: z.string(),
  problems: [...openProblems, 'too-many-requests'],
} as const

export const unsubscribeApi = {
  askToUnsubscribe: { ...page, method: 'GET' },
  unsubscribe: { ...page, method: 'POST' },
} as const satisfies Record<string, FullOperation>
