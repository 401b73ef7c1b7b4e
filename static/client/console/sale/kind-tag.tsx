/** The small mark that says which kind of sale this is. */
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { useView } from '../view-place.ts'

export function KindTag({ kind }: { kind: SaleKind }) {
  return (
    <span class="tag" data-kind={kind}>
      {useView().voice.t(`kind.${kind}`)}
    </span>
  )
}
