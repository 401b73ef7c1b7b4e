/** The health of the whole system: each part with its last sign of life, and what to do. */
import { useEffect, useState } from 'preact/hooks'
import type { PartHealth, SystemHealth } from '../../../../core/api/health.ts'
import { healthGuides } from '../../../../core/api/health-guides.ts'
import { control, type Refused } from '../api.ts'
import { type Column, DataTable } from '../lib/data-table.tsx'
import type { ConsoleVoice } from '../view.ts'
import { useView } from '../view-place.ts'
import { findingText, inTrouble, systemText } from './system-text.ts'

/** The health, read again and again; `isLost` when the last look had no answer. */
function useHealth(everyMs: number, fail: (reply: Refused) => void) {
  const [health, setHealth] = useState<SystemHealth>()
  const [isLost, setIsLost] = useState(false)

  async function look(): Promise<void> {
    if (document.hidden) return
    const answer = await control.getHealth()
    setIsLost(!answer.ok)
    if (answer.ok) setHealth(answer.value)
    else fail(answer.reply)
  }

  useEffect(() => {
    void look()
    const timer = setInterval(() => void look(), everyMs)
    return () => clearInterval(timer)
  }, [])
  return { health, isLost }
}

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
          <p class="system__local">{voice.t('system.local')}</p>
        </>
      )}
    </>
  )
}

/** The same in one sentence, above every page. */
export function SystemLine({ voice }: { voice: ConsoleVoice }) {
  const { health, isLost } = useHealth(60_000, () => undefined)
  const text = health === undefined || isLost ? voice.t('system.unsure') : systemText(voice, health.parts)
  const state = health === undefined || isLost ? 'unknown' : inTrouble(health.parts).length > 0 ? 'failing' : 'ok'
  return (
    <a id="system-line" class="state" data-state={state} href="#/health">
      {text}
    </a>
  )
}
