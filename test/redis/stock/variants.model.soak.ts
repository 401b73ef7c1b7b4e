/** All runs of variants.model.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./variants.model.test.ts')
