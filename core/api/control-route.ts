/** The row of a call of `/api/control` in its table, without schemas, because the gate loads it. */
import type { Role } from '../roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type ControlRoute = { method: Method; path: string; roles: readonly Role[] }
