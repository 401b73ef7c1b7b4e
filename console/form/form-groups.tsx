/** The groups of the sale form: what is asked for, in which order, and in which words for each kind of sale. */
import { Fragment, type FunctionComponent } from 'preact'
import { type Language, usualLanguages } from '../../core/language.ts'
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

/** A group has its settings, and what `First` draws besides those that are shown first, and `Rest` besides the others. */
export type Group = {
  name: SettingGroup | 'tuning'
  title: Key
  hint?: Key
  First?: FunctionComponent<Props>
  Rest?: FunctionComponent<Props>
}

/** The groups of the form, in their order. */
export const groups: readonly Group[] = [
  { name: 'what', title: 'form.what', First: PictureFields },
  { name: 'howMuch', title: 'form.howMuch', First: StockFields },
  { name: 'when', title: 'form.when', hint: 'form.zone', First: RoundsNote, Rest: WindowRows },
  { name: 'validity', title: 'form.validity', hint: 'form.validityHint' },
  { name: 'rules', title: 'form.rules' },
  { name: 'languages', title: 'form.languages', hint: 'form.languagesHint', Rest: OtherTexts },
  { name: 'gate', title: 'gate.title', hint: 'gate.text' },
  { name: 'tuning', title: 'form.tuning', hint: 'form.tuningHint' },
]

/** How the system carries the load of a sale: what few marketers change, so it comes last. */
const tuning: readonly SettingName[] = [
  ...(['throttle.perShopper', 'throttle.perIp', 'admitPerSecond', 'admissionRatio', 'shards'] as const),
]

/** Whether something is entered: a text, or one of several. */
const hasText = (part: unknown): boolean =>
  typeof part === 'string' ? part.trim() !== '' : Object.values(Object(part)).some(hasText)

/** The languages in which a sale is asked for texts: those that the shop offers, and those in which it has some. */
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
export function FormGroup({ form, group, part }: Props & { group: Group; part: 'first' | 'rest' }) {
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
  // The hint stands where the first settings of the group are.
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

/** What the sale, its variants and its pictures are called in each language that has no settings of its own. */
function OtherTexts({ form }: Props) {
  const { voice } = useView()
  const { variants, pictures } = form.text
  const languages = askedLanguages(form.text, form.offered)
  const asked = languageNames.filter(([language]) => languages.includes(language))
  const others = asked.filter(([language]) => !usualLanguages.includes(language))
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

/** What a new sale shows first, for goods at most ten fields with the variants; all else is under "Advanced". */
export const shownFirst: readonly SettingName[] = [
  ...(['title', 'description', 'pictures', 'price', 'stock', 'packets.count', 'packets.totalAmount'] as const),
  ...(['startsAt', 'endsAt', 'coupons.validFrom', 'coupons.validUntil', 'limitPerShopper'] as const),
  ...(['delivery.countries', 'delivery.costs'] as const),
]

/** Whether a setting under "Advanced" differs from what a new sale has there. The id and the limit of an order follow others. */
export function isAdvanced(text: FormText, locale: string): boolean {
  const usual = { ...freshText(locale, 0), saleId: text.saleId, maxPerOrder: text.limitPerShopper }
  const elsewhere = [...shownFirst, ...fairnessSettings, 'challenge']
  const differs = settingNames
    .filter((name) => !elsewhere.includes(name) && isOfKind(name, text.kind))
    .some((name) => !isSame(settingValue(text, name), settingValue(usual, name)))
  const names = [...text.variants, ...text.pictures].map(({ names, alts }) => names ?? alts)
  return differs || text.windows.length > 0 || ![text.translations, ...names].every((one) => isSame(one, {}))
}
