/** All runs of draw.test.ts. */
import { playWhole } from '../../../../test/whole-plays.ts'

playWhole()
await import('./draw.test.ts')
