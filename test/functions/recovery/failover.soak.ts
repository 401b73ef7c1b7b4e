/** A recovery of ten thousand orders, beside the other tests of failover.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./failover.test.ts')
