/** Numbers of a sale side by side, each below its name. */
import type { Live } from '../../../../core/api/control-answers.ts'
import { isMoney, type TileName, tilesOf } from '../sale/numbers.ts'
import type { ConsoleVoice } from '../view.ts'
import { useView } from '../view-place.ts'
import { sayFor } from './kind-words.ts'

/** Tiles whose number is a fault unless it is 0. */
const faults: ReadonlySet<TileName> = new Set(['deadLetters', 'drift'])

type Props = { live: Live; names: readonly TileName[]; look: string }

export function TileRow({ live, names, look }: Props) {
  const { voice } = useView()
  const { kind, currency } = live.sale
  const numbers = tilesOf(live)
  return (
    <dl class={`tiles ${look}`}>
      {names.map((name) => (
        <div key={name}>
          <dt>{sayFor(voice, kind)(`live.${name}`)}</dt>
          <dd id={`live-${name}`} data-alarm={faults.has(name) && (numbers[name] ?? 0) !== 0 ? '' : undefined}>
            {tileText(voice, name, numbers[name], currency)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A number as its tile shows it; `currency` is that of amounts. */
export function tileText(voice: ConsoleVoice, name: TileName, n: number | null, currency: string): string {
  if (n === null) return '–'
  if (isMoney(name)) return voice.money(n, currency)
  return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
}
