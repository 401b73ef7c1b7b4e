/** The live numbers of a sale as tiles. */
import type { Live } from '../../../../core/api/control-answers.ts'
import { isMoney, type TileName, tilesOf } from '../sale/numbers.ts'
import type { ConsoleVoice } from '../view.ts'
import { useView } from '../view-place.ts'
import { sayFor } from './kind-words.ts'
import { Tiles } from './tiles.tsx'

/** Tiles whose number is a fault unless it is 0. */
const faults: ReadonlySet<TileName> = new Set(['deadLetters', 'drift'])

type Props = { live: Live; names: readonly TileName[]; look: string }

export function TileRow({ live, names, look }: Props) {
  const { voice } = useView()
  const { kind, currency } = live.sale
  const numbers = tilesOf(live)
  const all = names.map((name) => ({
    ...{ name: sayFor(voice, kind)(`live.${name}`), id: `live-${name}` },
    value: tileText(voice, name, numbers[name], currency),
    isAlarm: faults.has(name) && (numbers[name] ?? 0) !== 0,
  }))
  return <Tiles {...{ all, look }} />
}

/** A number as its tile shows it; `currency` is that of amounts. */
export function tileText(voice: ConsoleVoice, name: TileName, n: number | null, currency: string): string {
  if (n === null) return '–'
  if (isMoney(name)) return voice.money(n, currency)
  return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
}
