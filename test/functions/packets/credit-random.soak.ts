/** All random deliveries of credit-random.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./credit-random.test.ts')
