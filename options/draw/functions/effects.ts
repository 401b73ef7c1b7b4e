/** What the draw does with a changed sale. */
import { effect } from './effect.ts'

export const effects = [effect] as const
