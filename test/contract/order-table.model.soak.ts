/** All lives of order-table.model.test.ts. */
import { playWhole } from '../whole-plays.ts'

playWhole()
await import('./order-table.model.test.ts')
