/** What is wrong with a sale, and what to do about it, in sentences. */
import type { Live } from '../../../../core/api/control-answers.ts'
import type { Arguments } from '../../../messages/text.ts'
import { joinSentences, type Speaker, sayFor } from '../lib/kind-words.ts'
import { repeatOf } from './actions.ts'
import { heldBackIn, noticesOf } from './notices.ts'

/** One sentence for each fault, the most urgent first. */
export function faultTexts(voice: Pick<Speaker, 't'>, live: Live): string[] {
  const say = sayFor(voice, live.sale.kind)
  const { sale, phase, inStep, drift, deadLetters } = live
  const repeat = repeatOf({ ...sale, phase, inStep })
  const args: Arguments = repeat === undefined ? {} : { action: say('do.repeat') }
  return [
    ...noticesOf(live).map((key) => say(key, key === 'live.heldBack' ? { n: heldBackIn(live) } : args)),
    ...(drift ? [say('health.drift', { n: Math.abs(drift) })] : []),
    ...(deadLetters ? [say('health.dead', { n: deadLetters })] : []),
  ]
}

/** The first of these faults and how many more there are, or that there is no fault. */
export function healthText(voice: Pick<Speaker, 't' | 'locale'>, [first, ...others]: readonly string[]): string {
  if (first === undefined) return voice.t('health.good')
  return others.length === 0 ? first : joinSentences(voice, [first, voice.t('health.more', { n: others.length })])
}
