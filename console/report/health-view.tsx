/** Shows the health of the whole system: each part with its last heartbeat and the action to take. */
import type { PartHealth } from '../../core/api/health.ts'
import { healthGuides } from '../../core/api/health-guides.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import type { Translator } from '../parts/kind-words.ts'
import { useHealth } from '../parts/repeated-read.ts'
import { type ConsoleVoice, useView } from '../view.ts'

export function Health() {
  const { voice, explain } = useView()
  const { health, isLost } = useHealth(15_000, explain)
  const columns: readonly Column<PartHealth>[] = [
    { heading: voice.t('system.part'), cell: ({ part }) => <strong>{voice.t(`system.part.${part}`)}</strong> },
    {
      heading: voice.t('system.state'),
      cell: (part) => (
        <div>
          <span class="state" data-state={part.state}>
            {voice.t(`system.state.${part.state}`)}
          </span>{' '}
          {findingText(voice, part)}
        </div>
      ),
    },
    { heading: voice.t('system.seen'), cell: ({ at }) => (at === null ? '–' : voice.moment(at)) },
    {
      heading: voice.t('system.do'),
      cell: ({ part, state, finding }) =>
        // A part without work, or one that this stage lacks, needs no action.
        state === 'ok' || finding === 'idle' || finding === 'never' ? (
          '–'
        ) : (
          <div>
            {voice.t(`system.do.${part}`)} <code>{healthGuides[part]}</code>
          </div>
        ),
    },
  ]
  return (
    <>
      <h1>{voice.t('console.health')}</h1>
      {health === undefined ? (
        <p class="empty">{voice.t(isLost ? 'system.lost' : 'system.asking')}</p>
      ) : (
        <>
          {isLost && <p>{voice.t('system.lostSince', { time: voice.moment(health.now) })}</p>}
          <DataTable
            columns={columns}
            rows={isLost ? health.parts.map((part) => ({ ...part, state: 'unknown' as const })) : health.parts}
            keyOf={({ part }) => part}
            dataOf={({ part, state }) => ({ 'data-part': part, 'data-state': state })}
          />
          <p class="note">{voice.t('system.local')}</p>
        </>
      )}
    </>
  )
}

/** Shows the health in one sentence, above every page. */
export function SystemLine({ voice }: { voice: ConsoleVoice }) {
  const { health, isLost } = useHealth(60_000)
  const text = health === undefined || isLost ? voice.t('system.unsure') : systemText(voice, health.parts)
  const state = health === undefined || isLost ? 'unknown' : inTrouble(health.parts).length > 0 ? 'failing' : 'ok'
  return (
    <a id="system-line" class="state" data-state={state} href="#/health">
      {text}
    </a>
  )
}

/** Describes the last heartbeat of a part. */
function findingText(voice: Translator, { finding, at, count, names }: PartHealth): string {
  const list = new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names)
  const args = { n: count, names: list, time: at === null ? '' : voice.moment(at) }
  const hasNames = names.length > 0 && (finding === 'unanswered' || finding === 'failed')
  return voice.t(hasNames ? `system.finding.${finding}.named` : `system.finding.${finding}`, args)
}

/** Parts that need someone. */
const inTrouble = (parts: readonly PartHealth[]): PartHealth[] =>
  parts.filter(({ state }) => state === 'failing' || state === 'late')

/** One sentence about all parts. */
function systemText(voice: Translator, parts: readonly PartHealth[]): string {
  const wrong = inTrouble(parts)
  if (wrong.length === 0) return voice.t('system.good')
  const names = wrong.map(({ part }) => voice.t(`system.part.${part}`))
  return voice.t('system.bad', { names: new Intl.ListFormat(voice.locale(), { type: 'conjunction' }).format(names) })
}
