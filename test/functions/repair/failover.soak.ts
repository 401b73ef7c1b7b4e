/** A recovery of ten thousand orders, beside the other tests of real-redis.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./real-redis.test.ts')
