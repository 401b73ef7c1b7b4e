/** All random plays of amounts.test.ts. */
import { playWhole } from '../../../whole-plays.ts'

playWhole()
await import('./amounts.test.ts')
