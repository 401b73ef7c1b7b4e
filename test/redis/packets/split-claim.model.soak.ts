/** All sales of split-claim.model.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./split-claim.model.test.ts')
