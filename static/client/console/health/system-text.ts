/** The health of the system in sentences. */
import type { PartHealth } from '../../../../core/api/health.ts'
import type { Speaker } from '../lib/kind-words.ts'

/** What the last sign of a part says. */
export function findingText(voice: Speaker, { finding, at, count, names }: PartHealth): string {
  const list = new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names)
  const args = { n: count, names: list, time: at === null ? '' : voice.moment(at) }
  const hasNames = names.length > 0 && (finding === 'unanswered' || finding === 'failed')
  return voice.t(hasNames ? `system.finding.${finding}.named` : `system.finding.${finding}`, args)
}

/** Parts that need someone. */
export const inTrouble = (parts: readonly PartHealth[]): PartHealth[] =>
  parts.filter(({ state }) => state === 'failing' || state === 'late')

/** One sentence about all parts. */
export function systemText(voice: Speaker, parts: readonly PartHealth[]): string {
  const wrong = inTrouble(parts)
  if (wrong.length === 0) return voice.t('system.good')
  const names = wrong.map(({ part }) => voice.t(`system.part.${part}`))
  return voice.t('system.bad', { names: new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names) })
}
