/** Follows a sample of winners to what they won, through the API that their pages use. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Line } from './http.ts'

export type Seen = {
  /** From the promise to the first answer that shows it kept. */
  delaysMs: number[]
  /** Names of what was not shown before patience ended. */
  unseen: string[]
}

/** Where its winner looks for a prize, whether what is there shows it, and what it is called in a verdict. */
export type Sight<Prize> = {
  path(prize: Prize): string
  shows(body: unknown, prize: Prize): boolean
  nameOf(prize: Prize): string
}

export type Watch<Prize> = { won(prize: Prize, token: string): void; finish(): Promise<Seen> }

const pollMs = 200

/** Watches every `every`th winner. Asking is load too, so only a sample is asked. */
export function watchWinners<Prize>(
  line: Line,
  sight: Sight<Prize>,
  { every, patienceMs }: { every: number; patienceMs: number },
): Watch<Prize> {
  const seen: Seen = { delaysMs: [], unseen: [] }
  const watches: Promise<void>[] = []
  let winners = 0

  const watch = async (prize: Prize, token: string) => {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      const { reply } = await line.get(sight.path(prize), token)
      if (reply?.status === 200 && sight.shows(reply.body, prize)) {
        seen.delaysMs.push(performance.now() - from)
        return
      }
      await sleep(Math.max(pollMs, (reply?.retryAfterSeconds ?? 0) * 1000))
    }
    seen.unseen.push(sight.nameOf(prize))
  }

  return {
    won(prize, token) {
      if (winners % every === 0) watches.push(watch(prize, token))
      winners += 1
    },
    async finish() {
      await Promise.all(watches)
      return seen
    },
  }
}
