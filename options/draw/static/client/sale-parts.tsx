/** The draw of a sale: its list, the number that decides, and how its units are taken up. */
import { useState } from 'preact/hooks'
import { control } from '../../../../console/api.ts'
import { FactsList } from '../../../../console/parts/facts-list.tsx'
import { FoldedPanel } from '../../../../console/parts/folded-panel.tsx'
import { useRepeatedRead } from '../../../../console/parts/repeated-read.ts'
import { saleMoment } from '../../../../console/parts/sale-moment.ts'
import { type ConsoleVoice, useView } from '../../../../console/view.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { SaleDraw } from '../../core/fields.ts'
import type { DrawView } from '../../core/operations.ts'

const readEveryMs = 30_000

function DrawPanel({ sale }: { sale: Sale }) {
  return sale.draw !== undefined && sale.warmed ? <PanelOf sale={sale} draw={sale.draw} /> : null
}

function PanelOf({ sale, draw }: { sale: Sale; draw: SaleDraw }) {
  const { voice } = useView()
  const { saleId } = sale
  const [isOpen, setOpen] = useState(false)
  // The live numbers of the same page say that the shop does not answer.
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

export const saleParts = [
  {
    Panel: DrawPanel,
    onDeletion: ({ draw, warmed }: Sale) => (draw !== undefined && warmed ? ('drawn.onDeletion' as const) : undefined),
  },
] as const
