/**
 * Lowers the priority of a process while shoppers wait for answers. In the cloud the workers behind
 * the queue have machines of their own; on one machine they would compete with the functions.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** The niceness of the workers, from 0 (none) to 19. */
export const backgroundNiceness = 7

/**
 * Where Linux keeps the niceness of a session. It weighs sessions against each other before their
 * processes, and each part of the system is a session of its own, so the niceness of the process is
 * not enough.
 */
export const sessionNicenessFile = '/proc/self/autogroup'

/** Without root, Linux allows one such change in 100 ms on the whole machine, so retries wait longer. */
export const sessionTries: Readonly<{ count: number; pauseMs: number }> = { count: 5, pauseMs: 150 }

/** Lowers the priority of this process and its session. Calls `log` when the system does not allow it. */
export async function lowerPriority(log: (line: string) => void): Promise<void> {
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
