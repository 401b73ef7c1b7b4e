/**
 * Lets a process stand back while shoppers are being answered. In the cloud, what works behind the queue has
 * machines of its own; on one machine it would take its share of the processors from those who wait.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How far to stand back, from 0 (not at all) to 19. */
export const backgroundNiceness = 6

/**
 * Where Linux keeps the niceness of a whole session. It weighs sessions against each other before it looks at
 * their processes, and each of our parts is a session of its own, so the process's own niceness is not enough.
 */
export const sessionNicenessFile = '/proc/self/autogroup'

/** Lowers the priority of this process and its session. */
export function standBack(): void {
  setPriority(backgroundNiceness)
  if (existsSync(sessionNicenessFile)) writeFileSync(sessionNicenessFile, String(backgroundNiceness))
}
