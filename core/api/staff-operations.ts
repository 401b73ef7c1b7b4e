/** What several calls of `/api/control` have in common. */
import * as z from 'zod/mini'
import { maxControlBodyBytes } from '../body-limits.ts'
import { saleParams } from './params.ts'
import { staffProblems } from './problem-sets.ts'

export const bodyOf = <S extends z.core.$ZodType>(schema: S) => ({ maxBytes: maxControlBodyBytes, schema }) as const
export const optionsOf = <S extends z.core.$ZodType>(schema: S) => ({ ...bodyOf(schema), optional: true }) as const

export const noOptions = optionsOf(z.strictObject({}, 'must be an object'))

/** A removal is never refused for the state of what it removes. */
export const removal = { problems: [...staffProblems, 'not-found'] } as const
export const saleRead = { params: saleParams, problems: [...removal.problems, 'unknown-sale'] } as const
