/** The operation of staff about the reminders of a sale. */
import type { FullOperation } from '../../../core/api/operation.ts'
import { saleParams } from '../../../core/api/params.ts'
import { staffProblems } from '../../../core/api/problem-sets.ts'
import { controlAnswers } from './control-answers.ts'

export const controlOperations = {
  getReach: {
    ...controlAnswers.getReach,
    params: saleParams,
    problems: [...staffProblems, 'not-found', 'unknown-sale'],
  },
} as const satisfies Record<string, FullOperation>
