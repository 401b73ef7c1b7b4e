/** The row of a call of `/api/control` in its table, without schemas, because the gate loads it. */
import type { Role } from '../roles.ts'
import type { Operation } from './operation.ts'

export type ControlRoute = Pick<Operation, 'method' | 'path'> & { roles: readonly Role[] }
