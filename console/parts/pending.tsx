import { useView } from '../view.ts'
import { WorkButton } from './work-button.tsx'

/** Draws a placeholder while data loads; after a failure `again` retries. */
export function Pending({ hasFailed, again }: { hasFailed: boolean; again(): Promise<unknown> }) {
  const { voice } = useView()
  if (!hasFailed) return <p class="empty">{voice.t('console.loading')}</p>
  return (
    <WorkButton look="plain" data-again work={again}>
      {voice.t('part.retry')}
    </WorkButton>
  )
}
