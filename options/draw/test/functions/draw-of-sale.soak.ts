/** All runs of draw-of-sale.test.ts and settings.test.ts. */
import { playWhole } from '../../../../test/whole-plays.ts'

playWhole()
await import('./draw-of-sale.test.ts')
await import('./settings.test.ts')
