/** A colour as text, with the browser's choice of one beside it. */
import { isColour } from '../../../../core/brand.ts'
import { useView } from '../view-place.ts'
import { Field, type FieldProps, fieldInput, verbatim } from './field.tsx'

/** `usual` is what the choice shows while no colour is entered; `pickId` is the id of its input. */
type Props = { field: FieldProps; value: string; enter(value: string): void; usual: string; pickId: string }

export function ColourField({ field, value, enter, usual, pickId }: Props) {
  const { voice } = useView()
  const text = value.trim()
  return (
    <Field {...field}>
      <div class="colour">
        <input
          type="color"
          class="colour__picker"
          id={pickId}
          aria-label={voice.t('brand.pick', { name: field.label })}
          value={isColour(text) ? text.toLowerCase() : usual}
          onInput={(event) => enter(event.currentTarget.value)}
        />
        <input
          {...fieldInput(field.name, field.error)}
          {...verbatim}
          maxlength={7}
          placeholder="#rrggbb"
          value={value}
          onInput={(event) => enter(event.currentTarget.value)}
        />
      </div>
    </Field>
  )
}
