/** A path pattern of the distribution, and the function that answers it. */
import type { HttpFunction } from './functions.ts'

/** `open`: pages of other sites may read the answers (core/gate/cors.ts); the pre-gate says which calls they may make. */
export type Behaviour = { pattern: string; origin: HttpFunction; open?: true }
