/** The paths of endpoints, which `delivery` answers: their secrets are sealed with its keys. */
import type { Behaviour } from '../../../system/option-access.ts'

export const behaviours = [
  { pattern: '/api/control/event-endpoints*', origin: 'delivery' },
] as const satisfies readonly Behaviour[]
