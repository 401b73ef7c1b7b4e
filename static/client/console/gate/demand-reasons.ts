/** The reasons of refused requests: their words, and the most frequent ones first. */
import type { Live } from '../../../../core/api/control-answers.ts'
import type { Speaker } from '../lib/kind-words.ts'

type Refused = NonNullable<Live['demand']>['refused']

/** How many reasons are shown at once. */
const topReasons = 3

/** The reasons to show, and those that unfold. One more takes no more room than the line to unfold it. */
export function topAndOthers(refused: Refused): { top: Refused; others: Refused } {
  const ordered = [...refused].sort((a, b) => b.count - a.count)
  const shown = ordered.length === topReasons + 1 ? ordered.length : topReasons
  return { top: ordered.slice(0, shown), others: ordered.slice(shown) }
}

/** The outcomes that have words of their own; others are shown by their code. */
const worded = [
  'sold-out',
  'at-capacity',
  'not-started',
  'not-your-turn',
  'limit-reached',
  'too-many-requests',
  'stale-page',
  'sign-in-required',
  'challenge-required',
  'challenge-failed',
  'level-too-low',
  'blocked',
  'paused',
  'ended',
  'unavailable',
  'invalid-request',
] as const

/** Why a request was refused, in words. */
export function demandText(voice: Pick<Speaker, 't'>, reason: string): string {
  const known = worded.find((one) => one === reason)
  return known === undefined ? voice.t('demand.other', { code: reason }) : voice.t(`demand.${known}`)
}
