/** The windows of a sale in its form (R7): rows that can be added and taken away, or made of a schedule (N6). Red packets come in waves. */
import { maxWindows } from '../../core/body-limits.ts'
import { readDay, readTimesOfDay } from '../../core/sale/schedule.ts'
import { stocksById } from '../../core/sale/variants.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { linesText } from '../../web/variant-words.ts'
import { type Key, sayFor } from '../parts/kind-words.ts'
import { isSame, type Row, textAt } from '../parts/text-parts.ts'
import { fromLocalInput, inputText, timeAfterGap, toLocalInput, typedZone, wholeNumber } from '../parts/typed.ts'
import { useView } from '../view.ts'
import { lockOf } from './fields.ts'
import { FormField, type FormState } from './form-fields.tsx'
import { anotherWindow, isAsked, readText } from './form-text.ts'
import { FillAid, type Filled, RowList } from './row-list.tsx'

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

/** The typed texts of a schedule. */
type ScheduleText = Readonly<Record<'firstDay' | 'days' | 'times' | 'minutes', string>>

const [minuteMs, dayMs] = [60_000, 86_400_000]

/** The rounds, each with the stock of `sample`, or the first field that is wrong, by the clocks of `zone`. */
export function scheduledWindows(
  text: ScheduleText,
  sample: Row,
  zone: string | undefined,
): Filled<keyof ScheduleText> {
  const wrong = (name: keyof ScheduleText, key: Key, args?: Arguments) => ({ wrong: name, key, ...(args && { args }) })
  const firstDay = readDay(text.firstDay)
  const times = readTimesOfDay(text.times)
  const [days, minutes] = [wholeNumber(text.days), wholeNumber(text.minutes)]
  if (firstDay === undefined) return wrong('firstDay', 'error.day')
  if (times === undefined) return wrong('times', 'error.timesOfDay')
  const max = 24 * 60
  if (!(minutes >= 1 && minutes <= max)) return wrong('minutes', 'error.whole', { min: 1, max })
  const most = Math.floor(maxWindows / times.length)
  if (!(days >= 1 && days <= most)) return wrong('days', 'error.scheduleDays', { max: most, rounds: maxWindows })
  const typed = Array.from({ length: days }, (_, n) => times.map((time) => firstDay + n * dayMs + time * minuteMs))
    .flat()
    .map(inputText)
  for (const one of typed) {
    const [skipped, next] = [one, timeAfterGap(one, zone)].map((text) => text?.slice(11).replace(/^0/, ''))
    if (skipped && next) return wrong('times', 'error.timeSkipped', { day: one.slice(0, 10), time: skipped, next })
  }
  const starts = typed.map((one) => fromLocalInput(one, zone))
  const spans = starts.map((startsAt) => ({ startsAt, endsAt: startsAt + minutes * minuteMs }))
  if (spans.some(({ startsAt }, i) => startsAt < (spans[i - 1]?.endsAt ?? startsAt))) {
    return wrong('minutes', 'error.scheduleOverlap')
  }
  const rows = spans.map(({ startsAt, endsAt }) => ({
    ...sample,
    startsAt: toLocalInput(startsAt, zone),
    endsAt: toLocalInput(endsAt, zone),
  }))
  return { rows }
}
