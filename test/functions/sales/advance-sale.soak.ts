/** advance-sale.test.ts with a cut at every call. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./advance-sale.test.ts')
