/**
 * Lets a process stand back while shoppers are being answered. In the cloud, what works behind the queue has
 * machines of its own; on one machine it would take its share of the processors from those who wait.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** How far to stand back, from 0 (not at all) to 19. */
export const backgroundNiceness = 7

/**
 * Where Linux keeps the niceness of a whole session. It weighs sessions against each other before it looks at
 * their processes, and each of our parts is a session of its own, so the process's own niceness is not enough.
 */
export const sessionNicenessFile = '/proc/self/autogroup'

/** Linux lets others than root change one session in 100 ms, whoever asks; so a second try waits longer. */
export const sessionTries: Readonly<{ count: number; pauseMs: number }> = { count: 5, pauseMs: 150 }

/** Lowers the priority of this process and its session. `log` hears of a system that does not allow it. */
export async function standBack(log: (line: string) => void): Promise<void> {
  setPriority(backgroundNiceness)
  if (!existsSync(sessionNicenessFile)) return
  for (let triesLeft = sessionTries.count; ; triesLeft -= 1) {
    try {
      writeFileSync(sessionNicenessFile, String(backgroundNiceness))
      return
    } catch (failure) {
      if (triesLeft === 1) return log(`This process keeps the priority of its session: ${String(failure)}`)
      await pause(sessionTries.pauseMs)
    }
  }
}
