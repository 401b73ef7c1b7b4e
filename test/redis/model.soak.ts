/** All runs of model.test.ts. */
import { playWhole } from '../whole-plays.ts'

playWhole()
await import('./model.test.ts')
