/** Every sale of settings.test.ts. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./settings.test.ts')
