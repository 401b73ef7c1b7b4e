/** Counts the answers of one setup. */
import type { Answered } from '../../bench/fleet/fleet.ts'
import { isWin } from './clients.ts'
import type { Bot, BotKind, Person } from './population.ts'

export type AnswerTally = {
  note(who: Person | Bot, answer: Answered): void
  wins: { people: number; bots: Partial<Record<BotKind, number>> }
  requests: { people: number; bots: number; losing: number }
  /** Answers by their code, in total and to people alone. */
  answers: Map<string, number>
  answersToPeople: Map<string, number>
}

export function openTally(): AnswerTally {
  const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const tally: AnswerTally = {
    wins: { people: 0, bots: {} },
    requests: { people: 0, bots: 0, losing: 0 },
    answers: new Map(),
    answersToPeople: new Map(),
    note(who, answer) {
      const { wins, requests } = tally
      const isBot = 'kind' in who
      requests[isBot ? 'bots' : 'people'] += 1
      add(tally.answers, answer.code)
      if (!isBot) add(tally.answersToPeople, answer.code)
      if (!isWin(answer)) requests.losing += 1
      else if (isBot) wins.bots[who.kind] = (wins.bots[who.kind] ?? 0) + 1
      else wins.people += 1
    },
  }
  return tally
}

export function allWins({ wins }: AnswerTally): number {
  return wins.people + Object.values(wins.bots).reduce((sum, count) => sum + count, 0)
}
