import { playWhole } from '../../whole-plays.ts'

playWhole()
await import('./blocked.test.ts')
