/** Declares the groups of the sale form, their order and their texts for each kind of sale. */
import { Fragment, type FunctionComponent } from 'preact'
import { defaultLanguages, type Language } from '../../core/language.ts'
import {
  isOfKind,
  type SettingGroup,
  type SettingName,
  settingNames,
  settingOf,
  settingValue,
} from '../../core/sale/settings.ts'
import { languageNames } from '../../templates/messages/catalogues.ts'
import { type Key, sayFor } from '../parts/kind-words.ts'
import { isSame, textAt } from '../parts/text-parts.ts'
import { typedZone } from '../parts/typed.ts'
import { useView } from '../view.ts'
import { fairnessSettings } from './fairness.tsx'
import { inputsOf, lockOf } from './fields.ts'
import { FormField, type FormState, SettingField } from './form-fields.tsx'
import { type FormText, freshText, hasVariants } from './form-text.ts'
import { PictureFields } from './picture-fields.tsx'
import { VariantRows } from './variant-fields.tsx'
import { WindowRows } from './window-fields.tsx'

const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

type Props = { form: FormState }

/** A group of settings. `First` adds content to the settings that are shown first, `Rest` to the others. */
export type SettingsGroup = {
  name: SettingGroup | 'tuning'
  title: Key
  hint?: Key
  First?: FunctionComponent<Props>
  Rest?: FunctionComponent<Props>
}

/** The groups of the form, in their order. */
export const groups: readonly SettingsGroup[] = [
  { name: 'what', title: 'form.what', First: PictureFields },
  { name: 'howMuch', title: 'form.howMuch', First: StockFields },
  { name: 'when', title: 'form.when', hint: 'form.zone', First: RoundsNote, Rest: WindowRows },
  { name: 'validity', title: 'form.validity', hint: 'form.validityHint' },
  { name: 'rules', title: 'form.rules' },
  { name: 'languages', title: 'form.languages', hint: 'form.languagesHint', Rest: OtherTexts },
  { name: 'gate', title: 'gate.title', hint: 'gate.text' },
  { name: 'tuning', title: 'form.tuning', hint: 'form.tuningHint' },
]

/** Settings for the load of a sale, which few marketers change, so they come last. */
const tuning: readonly SettingName[] = [
  ...(['throttle.perShopper', 'throttle.perIp', 'admitPerSecond', 'admissionRatio', 'shards'] as const),
]

/** True when some text is entered. */
const hasText = (part: unknown): boolean =>
  typeof part === 'string' ? part.trim() !== '' : Object.values(Object(part)).some(hasText)

/** Returns the languages of the shop, and those in which the sale has texts. */
export function askedLanguages(
  { translations, variants, pictures }: FormText,
  offered: readonly Language[],
): Language[] {
  const texts = [translations, ...[...variants, ...pictures].map(({ names, alts }) => names ?? alts)]
  return languageNames
    .map(([language]) => language)
    .filter((one) => offered.includes(one) || texts.some((of) => hasText(settingValue(Object(of), one))))
}

/** One part of a group; hidden where the kind of sale has none of its settings. */
export function FormGroup({ form, group, part }: Props & { group: SettingsGroup; part: 'first' | 'rest' }) {
  const { voice } = useView()
  const { text } = form
  const { name, title, hint, First, Rest } = group
  const say = sayFor(voice, text.kind)
  const zone = typedZone(textAt(text, 'timeZone')) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const Own = part === 'first' ? First : Rest
  const languages = askedLanguages(text, form.offered)
  const isShown = (one: SettingName) => {
    const [first, language = ''] = one.split('.')
    return first !== 'translations' || languages.includes(language)
  }
  const all =
    name === 'tuning'
      ? tuning
      : settingNames.filter((one) => settingOf(one).group === name && !tuning.includes(one) && isShown(one))
  const names = all.filter((one) => shownFirst.includes(one) === (part === 'first'))
  if (names.length === 0 && Own === undefined) return null
  // The hint is shown with the first settings of the group.
  const words = hint && (part === 'first' || names.length === all.length) && say(hint, { zone })
  return (
    // The zone of the sale is that of all its times.
    <fieldset
      class="grid group"
      aria-describedby={words ? `${name}-hint when-hint` : undefined}
      hidden={!names.some((one) => isOfKind(one, text.kind))}
    >
      <legend>{say(title)}</legend>
      {words && (
        <p class="field__hint" id={`${name}-hint`}>
          {words}
        </p>
      )}
      {names
        .filter((one) => inputsOf(one).length > 0)
        .map((one) => (
          <SettingField key={one} form={form} name={one} />
        ))}
      {Own && <Own form={form} />}
    </fieldset>
  )
}

function RoundsNote({ form: { text } }: Props) {
  const { voice } = useView()
  return (
    <p class="field__hint" hidden={text.windows.length === 0}>
      {sayFor(voice, text.kind)('window.stockNote', { advanced: voice.t('form.advanced') })}
    </p>
  )
}

function StockFields({ form }: Props) {
  const { voice } = useView()
  const { text, sale } = form
  const { kind, variants } = text
  // A stock that is loaded without variants gets none.
  const mayHaveVariants = variants.length > 0 || lockOf('variants', sale) === undefined
  return (
    <>
      <p class="field__hint" hidden={!hasVariants(text)}>
        {voice.t('variant.stockNote')}
      </p>
      <VariantRows form={form} isHidden={kind !== 'goods' || !mayHaveVariants} />
      <datalist id="currencies">
        {currencies.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
    </>
  )
}

/** The texts of the sale, its variants and its pictures in further languages. */
function OtherTexts({ form }: Props) {
  const { voice } = useView()
  const { variants, pictures } = form.text
  const languages = askedLanguages(form.text, form.offered)
  const asked = languageNames.filter(([language]) => languages.includes(language))
  const others = asked.filter(([language]) => !defaultLanguages.includes(language))
  const own = [
    ...variants.map((one, row) => [`variants.${row}.names`, textAt(one, 'name')] as const),
    ...pictures.map((_, row) => [`pictures.${row}.alts`, `${voice.t('picture.alt')} ${row + 1}`] as const),
  ]
  const field = (parts: string, lang: string, label: string) => <FormField {...{ form, path: parts, label, lang }} />
  return (
    <>
      {others.map(([language, name]) => (
        <Fragment key={language}>
          {field(`translations.${language}.title`, language, voice.t('form.titleIn', { language: name }))}
          {field(`translations.${language}.description`, language, voice.t('form.descriptionIn', { language: name }))}
        </Fragment>
      ))}
      {own.map(([path, label]) => (
        <Fragment key={path}>
          {asked.map(([language, name]) => (
            <Fragment key={language}>{field(`${path}.${language}`, language, `${label} · ${name}`)}</Fragment>
          ))}
        </Fragment>
      ))}
    </>
  )
}

/** The settings that a new sale shows first; all others are under "Advanced". */
export const shownFirst: readonly SettingName[] = [
  ...(['title', 'description', 'pictures', 'price', 'stock', 'packets.count', 'packets.totalAmount'] as const),
  ...(['startsAt', 'endsAt', 'coupons.validFrom', 'coupons.validUntil', 'limitPerShopper'] as const),
  ...(['delivery.countries', 'delivery.costs'] as const),
]

/** True when a setting under "Advanced" differs from its default. The id and the limit of an order follow other fields. */
export function isAdvanced(text: FormText, locale: string): boolean {
  const usual = { ...freshText(locale, 0), saleId: text.saleId, maxPerOrder: text.limitPerShopper }
  const elsewhere = [...shownFirst, ...fairnessSettings, 'challenge']
  const differs = settingNames
    .filter((name) => !elsewhere.includes(name) && isOfKind(name, text.kind))
    .some((name) => !isSame(settingValue(text, name), settingValue(usual, name)))
  const names = [...text.variants, ...text.pictures].map(({ names, alts }) => names ?? alts)
  return differs || text.windows.length > 0 || ![text.translations, ...names].every((one) => isSame(one, {}))
}
