/** All commands of memory-table.test.ts. */
import { playWhole } from '../whole-plays.ts'

playWhole()
await import('./memory-table.test.ts')
