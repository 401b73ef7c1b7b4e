/**
 * The first question of the sale form: which kind of sale it is. An existing one keeps its kind.
 */
import { type SaleKind, saleKinds } from '../../../../core/sale/settings.ts'
import { useView } from '../view-place.ts'

type Props = { chosen: SaleKind; isFixed: boolean; choose(kind: SaleKind): void }

export function KindChoice({ chosen, isFixed, choose }: Props) {
  const { voice } = useView()
  const words = (kind: SaleKind, note: string) => (
    <span>
      <strong>{voice.t(`kind.${kind}`)}</strong>
      <small>{note}</small>
    </span>
  )
  if (isFixed) {
    return (
      <p class="kind" id="kind" data-kind={chosen}>
        {words(chosen, voice.t('kind.fixed'))}
      </p>
    )
  }
  return (
    <fieldset class="choices kinds" id="kind">
      <legend>{voice.t('kind.title')}</legend>
      {saleKinds.map((kind) => (
        <label key={kind} class="choice">
          <input
            type="radio"
            name="kind"
            value={kind}
            id={`kind-${kind}`}
            checked={kind === chosen}
            onChange={() => choose(kind)}
          />
          {words(kind, voice.t(`kind.${kind}Text`))}
        </label>
      ))}
    </fieldset>
  )
}
