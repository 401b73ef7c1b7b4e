/** Statistics of the answers to a crowd. */
import { type Spread, spread } from '../statistics.ts'
import type { Try } from './shopper.ts'

export type AnswerSummary = Spread & { code: string; count: number }

/** Tries grouped by their answer, the most frequent first. */
export function summarise(tries: Try[]): AnswerSummary[] {
  return [...Map.groupBy(tries, ({ code }) => code)]
    .map(([code, made]) => ({ code, count: made.length, ...spread(made.map(({ ms }) => ms)) }))
    .sort((a, b) => b.count - a.count)
}
