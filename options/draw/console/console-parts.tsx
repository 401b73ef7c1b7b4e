/** The panel about the draw of a sale, and the draw as a choice of fairness in the form of a sale. */
import { useState } from 'preact/hooks'
import { control } from '../../../console/api.ts'
import type { FairnessEntry } from '../../../console/form/form-fields.tsx'
import { type FormText, numberAt } from '../../../console/form/form-text.ts'
import { FactsList } from '../../../console/parts/facts-list.tsx'
import { FoldedPanel } from '../../../console/parts/folded-panel.tsx'
import { useRepeatedRead } from '../../../console/parts/repeated-read.ts'
import { saleMoment } from '../../../console/parts/sale-moment.ts'
import { textAt } from '../../../console/parts/text-parts.ts'
import { toLocalInput, typedZone } from '../../../console/parts/typed.ts'
import type { ConsolePartsSeam } from '../../../console/seams.ts'
import { type ConsoleVoice, useView } from '../../../console/view.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { settingNames, settingOf, settings } from '../../../core/sale/settings.ts'
import { defaultDraw, earliestDrawStart, maxDrawnUnits, minClaimMs, type SaleDraw } from '../core/fields.ts'
import type { DrawView } from '../core/operations.ts'

const readEveryMs = 30_000

function DrawPanel({ sale }: { sale: Sale }) {
  return sale.draw !== undefined && sale.warmed ? <PanelOf sale={sale} draw={sale.draw} /> : null
}

function PanelOf({ sale, draw }: { sale: Sale; draw: SaleDraw }) {
  const { voice } = useView()
  const { saleId } = sale
  const [isOpen, setOpen] = useState(false)
  // No error is shown here: the live numbers of the same page already say that the shop does not answer.
  const seen = useRepeatedRead(readEveryMs, () => control.getDraw({ saleId }), { about: saleId, isOn: isOpen })?.draw
  return (
    <FoldedPanel id="draw" title={voice.t('drawn.title')} text={voice.t('drawn.lead')} toggle={setOpen}>
      {!seen ? (
        <p role="status">{voice.t('drawn.loading')}</p>
      ) : (
        <FactsList rows={rowsOf(voice, { ...draw, timeZone: sale.timeZone }, seen)} />
      )}
      <p class="actions">
        <a class="button button--plain" id="check-draw" href={`/draw/?sale=${saleId}`}>
          {voice.t('drawn.check')}
        </a>
      </p>
    </FoldedPanel>
  )
}

function rowsOf(
  voice: ConsoleVoice,
  { opensAt, closesAt, timeZone }: SaleDraw & Pick<Sale, 'timeZone'>,
  seen: DrawView,
): (readonly [string, string])[] {
  const { phase, entrants, offers, waiting } = seen
  const count = (n: number) => n.toLocaleString(voice.locale())
  const moment = (ms: number) => saleMoment(voice, { timeZone }, ms)
  return [
    [voice.t('drawn.state'), voice.t(`drawn.state.${phase}`)],
    [voice.t('drawn.period'), voice.t('drawn.periodOf', { opens: moment(opensAt), closes: moment(closesAt) })],
    ...(entrants === undefined
      ? []
      : ([
          [voice.t('drawn.entries'), count(entrants)],
          [voice.t('drawn.offers'), count(offers.made)],
          [voice.t('drawn.bought'), count(offers.bought)],
          [voice.t('drawn.open'), count(offers.open)],
          [voice.t('drawn.ended'), count(offers.ended)],
          [voice.t('drawn.waiting'), count(waiting)],
        ] as const)),
  ]
}

const minuteMs = 60_000

/** Entries close this long before the start. A start that is less than an hour ahead moves to the next day. */
const closedMs = 10 * minuteMs
const [soonMs, laterMs] = [60 * minuteMs, 25 * 60 * minuteMs]

const zoneOf = (text: FormText) => typedZone(textAt(text, 'timeZone'))

const names = settingNames.filter((name) => settingOf(name).group === 'draw')

/** The draw in the form of a sale. */
const fairness: FairnessEntry = {
  name: 'draw',
  label: 'form.draw',
  text: 'drawn.formLead',
  without: Object.fromEntries(names.map((name) => [name, ''])),
  kinds: ['goods'],
  isChosen: (text) => names.some((name) => textAt(text, name).trim() !== ''),
  begin(text, now) {
    const at = (ms: number) => toLocalInput(Math.ceil(ms / minuteMs) * minuteMs, zoneOf(text))
    const [start, end] = [numberAt(text, 'startsAt'), numberAt(text, 'endsAt')]
    const startsAt = start > now + soonMs ? start : now + laterMs
    const lastsMs = end > start ? end - start : soonMs
    return {
      ...{ startsAt: at(startsAt), endsAt: at(startsAt + lastsMs), limitPerShopper: '1', maxPerOrder: '1' },
      ...{ 'draw.opensAt': at(now), 'draw.closesAt': at(startsAt - closedMs), 'draw.claimSeconds': '60' },
    }
  },
  words: {
    startsAt(text) {
      const earliest = firstDrawStart(text)
      if (earliest === undefined) return 'error.time'
      return { key: 'error.drawStart', args: { at: toLocalInput(earliest, zoneOf(text)).replace('T', ' ') } }
    },
    'draw.closesAt': 'error.endsAt',
    'draw.claimSeconds'(text) {
      // An offer runs from the result until at least a minute after the start.
      const needed = numberAt(text, 'startsAt') + minClaimMs - (drawnAtOf(text) ?? Number.NaN)
      const [, max] = settings['draw.claimSeconds'].range
      if (!(needed > minClaimMs)) return 'error.minutes'
      return { key: 'error.whole', args: { min: Math.ceil(needed / minuteMs), max: max / 60 } }
    },
    stock: () => ({ key: 'error.whole', args: { min: 1, max: maxDrawnUnits } }),
    limitPerShopper: 'error.rankedLimit',
    earlyAccess: 'error.ranked',
    windows: 'error.ranked',
  },
  summary: (voice, { draw }) => draw && voice.t('drawn.onlyWinners'),
  fields: names,
}

/** Returns when a sale with a draw may start at the earliest, rounded up to a whole minute as people type it, epoch ms. */
function firstDrawStart(text: FormText): number | undefined {
  const at = drawnAtOf(text)
  return at === undefined ? undefined : minuteMs * Math.ceil(at / minuteMs)
}

/** Returns the earliest start, epoch ms; undefined while the close of the draw is not known. */
function drawnAtOf(text: FormText): number | undefined {
  const closesAt = numberAt(text, 'draw.closesAt')
  if (Number.isNaN(closesAt)) return undefined
  const typed = numberAt(text, 'draw.commitSeconds')
  return earliestDrawStart({ closesAt, commitSeconds: Number.isNaN(typed) ? defaultDraw.commitSeconds : typed })
}

export const consoleParts = {
  Panel: DrawPanel,
  onDeletion: ({ draw, warmed }) => (draw !== undefined && warmed ? 'drawn.onDeletion' : undefined),
  fairness,
} satisfies ConsolePartsSeam
