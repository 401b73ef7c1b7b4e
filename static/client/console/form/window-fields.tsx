/** The windows of a sale in its form (R7): rows that can be added and taken away. Red packets come in waves. */
import { maxWindows } from '../../../../core/body-limits.ts'
import { stocksById } from '../../../../core/sale/variants.ts'
import { linesText } from '../../lib/variant-words.ts'
import { sayFor } from '../lib/kind-words.ts'
import { isSame, textAt } from '../lib/text-parts.ts'
import { typedZone } from '../lib/typed.ts'
import { useView } from '../view.ts'
import { lockOf } from './fields.ts'
import { FormField, type FormState } from './form-fields.tsx'
import { anotherWindow, isAsked, readText } from './form-text.ts'
import { FillAid, RowList } from './row-list.tsx'
import { scheduledWindows } from './schedule.ts'

const labels = {
  startsAt: 'form.startsAt',
  endsAt: 'form.endsAt',
  stock: 'window.stock',
  totalAmount: 'window.total',
} as const

const windowInputs = ['startsAt', 'endsAt', 'stock', 'totalAmount'] as const

export function WindowRows({ form }: { form: FormState }) {
  const { voice } = useView()
  const { text, sale, enter } = form
  const { windows } = text
  const say = sayFor(voice, text.kind)
  const lock = lockOf('windows', sale)
  return (
    <RowList
      {...{ list: 'windows', one: 'window', rows: windows, max: maxWindows, lock }}
      error={form.error('windows')}
      enter={(rows) => enter('windows', rows)}
      say={(word, args) => say(`window.${word}`, args)}
      isHidden={lock !== undefined && windows.length === 0}
      next={() => anotherWindow(text)}
      aid={
        <FillAid
          id="schedule"
          say={(word, args) => voice.t(`schedule.${word}`, args)}
          inputs={{
            firstDay: { type: 'date' },
            days: { inputmode: 'numeric' },
            times: { hint: voice.t('schedule.timesHint') },
            minutes: { inputmode: 'numeric' },
          }}
          read={(texts) =>
            scheduledWindows(texts, windows[0] ?? anotherWindow(text), typedZone(textAt(text, 'timeZone')))
          }
          fill={(rows) => enter('windows', rows)}
        />
      }
    >
      {(i) => (
        <>
          {windowInputs.map((name) => {
            const path = `windows.${i}.${name}`
            return isAsked(path, text) && <FormField key={name} {...{ form, path, label: say(labels[name]) }} />
          })}
          <OwnUnits form={form} i={i} />
        </>
      )}
    </RowList>
  )
}

/** Names the units of a window that differ from those of the others. */
function OwnUnits({ form: { text }, i }: { form: FormState; i: number }) {
  const { voice } = useView()
  if (text.windows[i]?.units === undefined) return null
  const { windows = [], variants = [] } = readText(text)
  const units = windows[i]?.units
  if (units === undefined || isSame(units, stocksById(variants))) return null
  const names = new Map(variants.map(({ id, name }) => [id, name]))
  const lines = linesText(units, names, voice.locale())
  return <p class="field__hint">{sayFor(voice, text.kind)('window.ownUnits', { lines })}</p>
}
