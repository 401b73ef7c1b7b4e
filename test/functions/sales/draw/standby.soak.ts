/** All runs of standby.test.ts. */
import { playWhole } from '../../../whole-plays.ts'

playWhole()
await import('./standby.test.ts')
