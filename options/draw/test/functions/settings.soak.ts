/** Every sale of settings.test.ts. */
import { playWhole } from '../../../../test/whole-plays.ts'

playWhole()
await import('./settings.test.ts')
