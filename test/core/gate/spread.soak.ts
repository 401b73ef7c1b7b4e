/** The spread of a million shoppers. */
import { describeSpread } from './spread-rules.ts'

describeSpread(1_000_000, Number(process.env.SEED ?? 20261122))
