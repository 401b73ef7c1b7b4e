/** All runs of draw-of-sale.test.ts. */
import { playWhole } from '../../../../test/whole-plays.ts'

playWhole()
await import('./draw-of-sale.test.ts')
