/** Ten thousand invitations of one sale. */
import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./early-list.test.ts')
