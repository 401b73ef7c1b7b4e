/** Ten thousand reminders of one sale. */
import { playWhole } from '../../../../test/whole-plays.ts'

playWhole()
await import('./reminders.test.ts')
