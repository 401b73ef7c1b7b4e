/** The spread of a crowd over the first seconds of a sale. */
import { describeSpread } from './spread-rules.ts'

describeSpread(300_000, Number(process.env.SEED ?? 20261122))
