/** recover.test.ts with a cut at every call. */
import { playEveryCut } from './each-cut.ts'

playEveryCut()
await import('./recover.test.ts')
