/** Units that are drawn (options/draw/core/fields.ts), as the form of a sale has them. */

import { type FairnessEntry, type FormState, SettingField } from '../../../../console/form/form-fields.tsx'
import { type FormText, numberAt } from '../../../../console/form/form-text.ts'
import { textAt } from '../../../../console/parts/text-parts.ts'
import { toLocalInput, typedZone } from '../../../../console/parts/typed.ts'
import { settingNames, settingOf, settings } from '../../../../core/sale/settings.ts'
import { defaultDraw, drawnAt, leastClaimMs, maxDrawnUnits } from '../../core/fields.ts'

const minuteMs = 60_000

/** Shoppers enter until so long before the start; a start that is less than an hour ahead moves to a day later. */
const closedMs = 10 * minuteMs
const [soonMs, laterMs] = [60 * minuteMs, 25 * 60 * minuteMs]

const zoneOf = (text: FormText) => typedZone(textAt(text, 'timeZone'))

const names = settingNames.filter((name) => settingOf(name).group === 'draw')

const draw: FairnessEntry = {
  name: 'draw',
  label: 'form.draw',
  text: 'drawn.formLead',
  without: Object.fromEntries(names.map((name) => [name, ''])),
  kinds: ['goods'],
  isChosen: (text) => names.some((name) => textAt(text, name).trim() !== ''),
  begin(text, now) {
    const at = (ms: number) => toLocalInput(Math.ceil(ms / minuteMs) * minuteMs, zoneOf(text))
    const [start, end] = [numberAt(text, 'startsAt'), numberAt(text, 'endsAt')]
    const startsAt = start > now + soonMs ? start : now + laterMs
    const lastsMs = end > start ? end - start : soonMs
    return {
      ...{ startsAt: at(startsAt), endsAt: at(startsAt + lastsMs), limitPerShopper: '1', maxPerOrder: '1' },
      ...{ 'draw.opensAt': at(now), 'draw.closesAt': at(startsAt - closedMs), 'draw.claimSeconds': '60' },
    }
  },
  words: {
    startsAt(text) {
      const earliest = firstDrawStart(text)
      if (earliest === undefined) return 'error.time'
      return { key: 'error.drawStart', args: { at: toLocalInput(earliest, zoneOf(text)).replace('T', ' ') } }
    },
    'draw.closesAt': 'error.endsAt',
    'draw.claimSeconds'(text) {
      // Offers count from the result on, and are kept until a minute after the start at least.
      const needed = numberAt(text, 'startsAt') + leastClaimMs - (drawnAtOf(text) ?? Number.NaN)
      const [, max] = settings['draw.claimSeconds'].range
      if (!(needed > leastClaimMs)) return 'error.minutes'
      return { key: 'error.whole', args: { min: Math.ceil(needed / minuteMs), max: max / 60 } }
    },
    stock: () => ({ key: 'error.whole', args: { min: 1, max: maxDrawnUnits } }),
    limitPerShopper: 'error.rankedLimit',
    earlyAccess: 'error.ranked',
    windows: 'error.ranked',
  },
  summary: (voice, { draw }) => draw && voice.t('drawn.onlyWinners'),
  Own: DrawFields,
}

function DrawFields({ form }: { form: FormState }) {
  return names.map((name) => <SettingField key={name} form={form} name={name} />)
}

/** When a sale that draws may start at the earliest, in whole minutes as people type them, epoch ms. */
function firstDrawStart(text: FormText): number | undefined {
  const at = drawnAtOf(text)
  return at === undefined ? undefined : minuteMs * Math.ceil(at / minuteMs)
}

/** Undefined while the close of the draw is not known. */
function drawnAtOf(text: FormText): number | undefined {
  const closesAt = numberAt(text, 'draw.closesAt')
  if (Number.isNaN(closesAt)) return undefined
  const typed = numberAt(text, 'draw.commitSeconds')
  return drawnAt({ closesAt, commitSeconds: Number.isNaN(typed) ? defaultDraw.commitSeconds : typed })
}

export const fairnessEntries = [draw] as const
