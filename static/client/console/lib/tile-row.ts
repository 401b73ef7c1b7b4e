/** Numbers of a sale side by side, each below its name. */
import type { Live } from '../../../../core/api/control.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { isMoney, type TileName, tilesOf } from '../sale/numbers.ts'
import type { ConsoleVoice } from '../view.ts'
import { sayFor } from './kind-words.ts'

/** Tiles whose number is a fault unless it is 0. */
const faults: ReadonlySet<TileName> = new Set(['deadLetters', 'drift'])

type TileRow = { element: HTMLElement; draw(live: Live): void }

export function tileRow(
  voice: ConsoleVoice,
  kind: SaleKind,
  names: readonly TileName[],
  look: string,
): TileRow {
  const say = sayFor(voice, kind)
  const tiles = names.map((name) => ({ name, tile: make('dd', { id: `live-${name}` }, '–') }))
  const parts = tiles.map(({ name, tile }) => make('div', {}, make('dt', {}, say(`live.${name}`)), tile))
  return {
    element: make('dl', { class: `tiles ${look}` }, ...parts),
    draw(live) {
      const numbers = tilesOf(live)
      for (const { name, tile } of tiles) {
        setText(tile, tileText(voice, name, numbers[name], live.sale.currency))
        tile.toggleAttribute('data-alarm', faults.has(name) && (numbers[name] ?? 0) !== 0)
      }
    },
  }
}

/** A number as its tile shows it; `currency` is that of amounts. */
export function tileText(voice: ConsoleVoice, name: TileName, n: number | null, currency: string): string {
  if (n === null) return '–'
  if (isMoney(name)) return voice.money(n, currency)
  return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
}
