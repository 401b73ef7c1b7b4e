/** A shopper reads the greeting of a sale. */
import * as z from 'zod/mini'
import { saleParams } from '../../../core/api/operation-parts.ts'
import { changeProblems } from '../../../core/api/problem-sets.ts'
import type { OperationsSeam } from '../../../core/seams.ts'

export const operations = {
  /** `not-found`: the sale has no greeting. */
  getGreeting: {
    ...{ method: 'GET', path: '/api/greetings/:saleId', params: saleParams },
    answer: z.object({ greeting: z.string() }),
    problems: [...changeProblems, 'unknown-sale', 'level-too-low', 'not-found'],
  },
} as const satisfies OperationsSeam
