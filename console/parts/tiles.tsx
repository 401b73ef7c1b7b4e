/** Draws tiles of numbers: any numbers, and the live ones of a sale. */
import type { ComponentChildren } from 'preact'
import type { Live } from '../../core/api/control-answers.ts'
import { countText, isMoney, type TileName, tilesOf } from '../sale/numbers.ts'
import { type ConsoleVoice, useView } from '../view.ts'
import { sayFor } from './kind-words.ts'

export type Tile = {
  name: string
  value: ComponentChildren
  id?: string
  /** A value for comparison. */
  aside?: string | undefined
  hint?: string
  isAlarm?: boolean
}

export function Tiles({
  all,
  look = '',
  isHidden = false,
}: {
  all: readonly Tile[]
  look?: string
  isHidden?: boolean
}) {
  return (
    <dl class={`tiles ${look}`} hidden={isHidden}>
      {all.map(({ name, value, id, aside, hint, isAlarm }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd id={id} data-alarm={isAlarm ? '' : undefined}>
            {value}
            {aside !== undefined && <small>{aside}</small>}
          </dd>
          {hint !== undefined && <dd class="tiles__hint">{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}

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

/** Formats the number of a tile. `currency` is for amounts. */
export function tileText(voice: ConsoleVoice, name: TileName, n: number | null, currency: string): string {
  return n !== null && isMoney(name) ? voice.money(n, currency) : countText(voice, n)
}
