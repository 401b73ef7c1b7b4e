/** How fast the units of a sale went: charts of its rounds, and when each of them was sold out. */
import type { RoundPace } from '../../../core/report/pace.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import type { SaleKind } from '../../../core/sale/settings.ts'
import { type Html, html } from '../html.ts'
import { paceCharts } from './chart.ts'
import { nothing, section, table, tiles } from './parts.ts'
import type { ReportVoice } from './voice.ts'

/** Charts of more rounds would fill the report. */
const mostCharts = 6

export function paceSection(voice: ReportVoice, { pace: { rounds }, sale: { kind } }: SaleReport): Html {
  const { t } = voice
  if (rounds.every(({ taken }) => taken === 0)) return nothing
  const [first] = rounds
  if (first !== undefined && rounds.length === 1) {
    return section(voice, 'report.pace', chartsOf(voice, kind, undefined, first), milestones(voice, first))
  }
  const charts = rounds
    .slice(0, mostCharts)
    .map((round, index) => chartsOf(voice, kind, t('report.roundN', { n: index + 1 }), round))
  const more =
    rounds.length > mostCharts
      ? html`<p class="note">${t('report.moreRounds', { n: mostCharts })}</p>
`
      : nothing
  return section(voice, 'report.pace', ...charts, more, roundsTable(voice, rounds))
}

function chartsOf(voice: ReportVoice, kind: SaleKind, name: string | undefined, round: RoundPace): Html {
  return round.bars === null ? nothing : paceCharts(voice, { kind, name }, round, round.bars)
}

/** The times of the only round. */
function milestones({ t, duration }: ReportVoice, { firstMs, halfMs, soldOutMs }: RoundPace): Html {
  const times = [
    ['report.rounds.first', firstMs],
    ['report.rounds.half', halfMs],
    ['report.rounds.out', soldOutMs],
  ] as const
  return tiles(
    times.flatMap(([key, ms]) => (ms === null ? [] : [[t(key), t('report.after', { time: duration(ms) })] as const])),
  )
}

function roundsTable(voice: ReportVoice, rounds: readonly RoundPace[]): Html {
  const { t, number, shortTime, duration } = voice
  const after = (ms: number | null) => (ms === null ? '–' : t('report.after', { time: duration(ms) }))
  const rows = rounds.map((round, index) => [
    t('report.roundN', { n: index + 1 }),
    shortTime(round.opensAt),
    round.available === null ? t('report.unlimited') : number(round.available),
    number(round.sold),
    ...[after(round.firstMs), after(round.halfMs), after(round.soldOutMs)],
  ])
  const headings = [
    ...(['report.rounds.name', 'report.rounds.opened', 'report.rounds.available'] as const),
    ...(['report.rounds.sold', 'report.rounds.first', 'report.rounds.half', 'report.rounds.out'] as const),
  ]
  return table(voice, 'report.rounds', { headings, rows })
}
