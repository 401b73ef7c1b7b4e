/** All runs of draw-of-sale.test.ts. */
import { playWhole } from '../../../whole-plays.ts'

playWhole()
await import('./draw-of-sale.test.ts')
