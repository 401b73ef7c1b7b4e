/**
 * The databases of a split stock: one row for each shard, and below them the units that no shard has
 * yet. Missing for a stock in one database.
 */
import type { Live } from '../../../../core/api/control-answers.ts'
import { sayFor } from '../lib/kind-words.ts'
import { RowHead, ScrollTable, TableCell } from '../lib/scroll-table.tsx'
import { useView } from '../view-place.ts'

const counts = ['granted', 'booked', 'left'] as const

export function ShardPanel({ live: { sale, split } }: { live: Live }) {
  const { voice } = useView()
  if (split === null) return null
  const say = sayFor(voice, sale.kind)
  const { shards, pool } = split
  const headings = (['database', 'state', ...counts] as const).map((name) => say(`shards.${name}`))
  return (
    <section class="panel shards" id="shards">
      <h2>{say('shards.title')}</h2>
      <ScrollTable headings={headings} numbersFrom={2} caption={say('shards.caption')}>
        {shards.map((shard) => (
          <tr key={shard.database} role="row">
            <RowHead>{shard.database}</RowHead>
            <TableCell label={say('shards.state')}>
              <span class="shards__state" data-state={shard.state}>
                {say(`shards.state.${shard.state}`)}
              </span>
            </TableCell>
            {counts.map((name) => (
              <TableCell key={name} label={say(`shards.${name}`)} class="number">
                {shard[name]?.toLocaleString(voice.locale()) ?? '–'}
              </TableCell>
            ))}
          </tr>
        ))}
      </ScrollTable>
      <p id="shards-pool">{say(pool < 0 ? 'shards.overdrawn' : 'shards.pool', { n: Math.abs(pool) })}</p>
    </section>
  )
}
