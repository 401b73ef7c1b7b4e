/** Statistics of the answers to a rush. */
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import type { Try } from './shopper.ts'

export type AnswerSummary = Percentiles & { code: string; count: number }

/** Tries grouped by their answer, the most frequent first. */
export function summarise(tries: readonly Try[]): AnswerSummary[] {
  return [...Map.groupBy(tries, ({ code }) => code)]
    .map(([code, made]) => ({ code, count: made.length, ...percentiles(made.map(({ ms }) => ms)) }))
    .sort((a, b) => b.count - a.count)
}
