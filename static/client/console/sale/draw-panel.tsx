/**
 * The draw of a sale: what is published of it, as its readers see it, and how its units are taken up. It reads the public
 * files alone, so it shows what a check finds and needs no right.
 */
import { useEffect, useState } from 'preact/hooks'
import type { SaleId } from '../../../../core/ids.ts'
import { drawPanelMessages } from '../../../messages/console/draw-panel.ts'
import { type Allocated, allocatedIn, linesIn, payloadIn, publicText } from '../../draw/public-files.ts'
import { fieldsInText, type Members } from '../../lib/wire.ts'
import { FactsList } from '../lib/facts-list.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { useViewWith } from '../view-place.ts'

/** Times are epoch ms. */
type Draw = { opensAt: number; closesAt: number; commitSeconds: number }

/** Files change hourly, and after the draw when units come back. */
const readEveryMs = 30_000

type Published = { heads: number; head?: Members; round?: number; allocated?: Allocated }

export function DrawPanel({ saleId, draw }: { saleId: SaleId; draw: Draw }) {
  const { voice } = useViewWith(drawPanelMessages)
  const [isOpen, setOpen] = useState(false)
  const published = usePublished(saleId, isOpen)
  const rows = published === undefined ? [] : rowsOf(voice, draw, published)
  return (
    <FoldedPanel id="draw" title={voice.t('drawn.title')} text={voice.t('drawn.lead')} toggle={setOpen}>
      {published === undefined && <p role="status">{voice.t('drawn.loading')}</p>}
      <FactsList rows={rows} />
      <p class="actions">
        <a class="button button--plain" id="check-draw" href={`/draw/?sale=${saleId}`}>
          {voice.t('drawn.check')}
        </a>
      </p>
    </FoldedPanel>
  )
}

/** Undefined before the first answer; read again while the panel is open. */
function usePublished(saleId: SaleId, isOpen: boolean): Published | undefined {
  const [published, setPublished] = useState<Published>()
  useEffect(() => {
    if (!isOpen) return undefined
    let isGone = false
    const read = async () => {
      if (document.hidden) return
      const files = ['heads.txt', 'beacon.json', 'allocation.txt'].map((file) =>
        publicText(window.fetch.bind(window), saleId, file),
      )
      const [heads, beacon, allocation] = await Promise.all(files)
      if (!isGone) setPublished(publishedIn(heads, beacon, allocation))
    }
    void read()
    const timer = window.setInterval(read, readEveryMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [saleId, isOpen])
  return published
}

function publishedIn(heads?: string, beacon?: string, allocation?: string): Published {
  const lines = linesIn(heads)
  const head = payloadIn(lines.at(-1) ?? '')
  const { round } = fieldsInText(beacon ?? null) ?? {}
  return {
    heads: lines.length,
    ...(head && { head }),
    ...(typeof round === 'number' && { round }),
    ...(allocation !== undefined && { allocated: allocatedIn(allocation) }),
  }
}

type Voice = ReturnType<typeof useViewWith<typeof drawPanelMessages>>['voice']

function rowsOf(
  voice: Voice,
  { opensAt, closesAt, commitSeconds }: Draw,
  { heads, head, round, allocated }: Published,
): (readonly [string, string])[] {
  const count = (n: unknown) => (typeof n === 'number' ? n.toLocaleString(voice.locale()) : '–')
  const { at, root } = head ?? {}
  const isClosed = typeof at === 'number' && at >= closesAt
  const state = allocated !== undefined ? 'drawn' : isClosed ? 'closed' : heads > 0 ? 'open' : 'none'
  const lastHead =
    typeof at === 'number'
      ? voice.t('drawn.headAt', { n: heads, at: voice.moment(at) })
      : voice.t('drawn.noHead')
  const drawnAt = voice.moment(closesAt + 1000 * commitSeconds)
  return [
    [voice.t('drawn.state'), voice.t(`drawn.state.${state}`)],
    [
      voice.t('drawn.period'),
      voice.t('drawn.periodOf', { opens: voice.moment(opensAt), closes: voice.moment(closesAt) }),
    ],
    [voice.t('drawn.records'), count(head?.count)],
    [voice.t('drawn.head'), lastHead],
    ...(isClosed ? [[voice.t('drawn.commit'), String(root)] as const] : []),
    [voice.t('drawn.round'), round === undefined ? voice.t('drawn.roundAt', { at: drawnAt }) : String(round)],
    ...(allocated === undefined
      ? []
      : ([
          [voice.t('drawn.offers'), count(allocated.offers)],
          [voice.t('drawn.returned'), count(allocated.returned)],
          [voice.t('drawn.holding'), count(allocated.offers - allocated.returned)],
        ] as const)),
  ]
}
