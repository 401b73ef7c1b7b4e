/** All runs of admission.model.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./admission.model.test.ts')
