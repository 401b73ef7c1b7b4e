/** The reasons of refused requests, the most frequent ones first. */
import type { Live } from '../../../../core/api/control-answers.ts'

type Refused = NonNullable<Live['demand']>['refused']

/** How many reasons are shown at once. */
const topReasons = 3

/** The reasons to show, and those that unfold. One more takes no more room than the line to unfold it. */
export function topAndOthers(refused: Refused): { top: Refused; others: Refused } {
  const ordered = [...refused].sort((a, b) => b.count - a.count)
  const shown = ordered.length === topReasons + 1 ? ordered.length : topReasons
  return { top: ordered.slice(0, shown), others: ordered.slice(shown) }
}
