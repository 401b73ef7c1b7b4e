/** The health of the system in sentences. */
import type { PartHealth } from '../../../../core/api/health.ts'
import type { systemHealthMessages } from '../../../messages/catalogues.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Speaker } from '../lib/kind-words.ts'

type Says = {
  t: (key: keyof typeof systemHealthMessages, args?: Arguments) => string
} & Pick<Speaker, 'locale' | 'moment'>

/** What the last sign of a part says. */
export function findingText(voice: Says, { finding, at, count, names }: PartHealth): string {
  const list = new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names)
  const args = { n: count, names: list, time: at === null ? '' : voice.moment(at) }
  const hasNames = names.length > 0 && (finding === 'unanswered' || finding === 'failed')
  return voice.t(hasNames ? `system.finding.${finding}.named` : `system.finding.${finding}`, args)
}

/** Parts that need someone. */
export const inTrouble = (parts: readonly PartHealth[]): PartHealth[] =>
  parts.filter(({ state }) => state === 'failing' || state === 'late')

/** One sentence about all parts. */
export function systemText(voice: Says, parts: readonly PartHealth[]): string {
  const wrong = inTrouble(parts)
  if (wrong.length === 0) return voice.t('system.good')
  const names = wrong.map(({ part }) => voice.t(`system.part.${part}`))
  return voice.t('system.bad', { names: new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names) })
}
