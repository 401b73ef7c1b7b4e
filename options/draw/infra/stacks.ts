/** The rights and alarms of draws. */
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmInstance, AlarmRow } from '../../../infra/constructs/alarm.ts'
import { ownMetric } from '../../../infra/constructs/own-metrics.ts'
import { grantSecrets, grantStock } from '../../../infra/constructs/secrets.ts'
import type { WatchedSales } from '../../../infra/constructs/watched.ts'
import type { OptionResources, StacksSeam } from '../../../infra/seams.ts'
import type { names } from '../core/names.ts'

const folder = 'draw'

const draws: OptionResources = (_, { name: stage }) => ({
  /** Answers about an entry include its rank, which is in a file. */
  delivery(fn, { site }) {
    site.grantReadFiles(fn, folder)
  },
  draws(fn, { site }) {
    grantStock(stage, fn)
    grantSecrets(stage, fn, 'gate')
    site.grantFiles(fn, folder)
    fn.setShopAddress('SHOP_URL')
  },
})

const page = 'options/draw/README.md'

const recorded =
  (name: (typeof names)['metrics']['draws'][number]) =>
  ({ namespace }: WatchedSales): AlarmInstance[] => [
    { of: 'draws', metric: ownMetric(namespace, 'draws', name, Stats.SUM) },
  ]

const alarms = [
  {
    section: 'draw-list-missing',
    ...{ page, isEssential: true },
    means: () => 'The list of a draw is not published in time, and the draw is void once the round has come.',
    of: recorded('ListMissing'),
  },
  {
    section: 'draw-beacon-late',
    ...{ page, isEssential: true },
    means: () => 'The round that decides a draw has not come a minute after its time, from no relay.',
    // The round is requested every three seconds. A single failing relay raises no alarm.
    of: recorded('BeaconLate'),
    for: [2, 3],
  },
  {
    section: 'draw-failing',
    ...{ page, isEssential: true },
    means: () => 'A draw cannot be published, decided or continued, run after run.',
    of: recorded('DrawFailed'),
    for: [3, 5],
  },
] as const satisfies readonly AlarmRow<WatchedSales>[]

export const stacks = { resources: draws, alarms } satisfies StacksSeam
