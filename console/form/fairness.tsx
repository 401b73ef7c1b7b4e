/**
 * Lists the fairness modes of a sale, for its form, errors and summary. The last entry whose `isChosen` is true counts, so
 * the form also shows the mode of a sale from the API.
 */
import type { SettingName } from '../../core/sale/settings.ts'
import { partsOfOptions } from '../option-parts.ts'
import { textAt } from '../parts/text-parts.ts'
import { useView } from '../view.ts'
import { lockOf } from './fields.ts'
import { ChoiceField, type FairnessEntry, type FormState, SettingField } from './form-fields.tsx'
import { type FormText, firstTurnSeconds } from './form-text.ts'

export const fairness: readonly FairnessEntry[] = [
  {
    name: 'first-come',
    label: 'fairness.firstCome',
    text: 'fairness.firstComeText',
    without: {},
    isChosen: () => true,
    begin: () => ({}),
  },
  {
    name: 'turns',
    label: 'summary.turns',
    text: 'gate.spreadHint',
    without: { spreadSeconds: '0' },
    isChosen: (text) => textAt(text, 'spreadSeconds').trim() !== '0',
    begin: () => ({ spreadSeconds: firstTurnSeconds }),
    summary: (voice, { spreadSeconds: n }) => (n === 0 ? undefined : voice.t('summary.turnsText', { n })),
  },
  ...partsOfOptions.flatMap(({ fairness: entry }) => entry ?? []),
]

const settingsOf = ({ without }: FairnessEntry) => Object.keys(without) as SettingName[]

/** The settings that the choice sets. */
export const fairnessSettings: readonly SettingName[] = fairness.flatMap(settingsOf)

const isPossible = ({ kinds }: FairnessEntry, { kind }: FormText) => kinds?.includes(kind) ?? true

export function fairnessOf(text: FormText): FairnessEntry | undefined {
  return fairness.findLast((entry) => isPossible(entry, text) && entry.isChosen(text))
}

export function FairnessChoice({ form }: { form: FormState }) {
  const { voice } = useView()
  const { text, sale, enter } = form
  const chosen = fairnessOf(text)
  const isLocked = (entry: FairnessEntry) => settingsOf(entry).some((name) => lockOf(name, sale) !== undefined)
  const options = fairness
    .filter((entry) => isPossible(entry, text))
    .map((entry) => ({
      ...{ value: entry.name, label: voice.t(entry.label), note: voice.t(entry.text) },
      isDisabled: entry !== chosen && (isLocked(entry) || (chosen !== undefined && isLocked(chosen))),
    }))

  function choose(name: string): void {
    const others = fairness.filter((entry) => entry.name !== name).map(({ without }) => without)
    const own = fairness.find((entry) => entry.name === name)?.begin(text, Date.now())
    for (const [path, part] of Object.entries(Object.assign({}, ...others, own))) enter(path, String(part))
  }
  return (
    <>
      <ChoiceField
        name="fairness"
        legend={voice.t('fairness.title')}
        hint={sale === undefined ? voice.t('fairness.why') : undefined}
        chosen={chosen?.name}
        {...{ options, choose }}
      />
      {chosen?.fields && (
        <div class="grid group">
          {chosen.fields.map((name) => (
            <SettingField key={name} form={form} name={name} />
          ))}
        </div>
      )}
    </>
  )
}
