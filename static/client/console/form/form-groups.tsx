/** The groups of the sale form: what is asked for, in which order, and in which words for each kind of sale. */
import { Fragment, type FunctionComponent } from 'preact'
import { usualLanguages } from '../../../../core/language.ts'
import {
  isOfKind,
  type SaleKind,
  type SettingName,
  type settingGroups,
  settingNames,
  settingOf,
} from '../../../../core/sale/settings.ts'
import { languageNames, pictureMessages } from '../../../messages/catalogues.ts'
import { type Key, sayFor } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { toLocalInput, typedZone } from '../lib/typed.ts'
import { useView, useViewWith } from '../view-place.ts'
import { firstDrawStart } from './faults.ts'
import { FormField, type FormState, SettingField } from './form-fields.tsx'
import { hasVariants, isAsked, numberAt, textAt } from './form-text.ts'
import { lockOf } from './locked-settings.ts'
import { PictureFields } from './picture-fields.tsx'
import { VariantRows } from './variant-fields.tsx'
import { WindowRows } from './window-fields.tsx'

const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

/** Settings whose default suits most sales, folded up at the end of their group. */
const seldomChanged: readonly SettingName[] = [
  'saleId',
  'shards',
  'paymentGraceSeconds',
  'supportRefundLimit',
  'timeZone',
]

type Props = { form: FormState }

/** A group has its settings, and what `Own` draws besides. `kind` is the only one that has it, where its settings leave that open. */
export type Group = {
  name: (typeof settingGroups)[number]
  title: Key
  hint?: Key
  /** Its defaults suit most sales. */
  isFolded?: true
  kind?: SaleKind
  Own?: FunctionComponent<Props>
}

/** The groups of the form, in their order. */
export const groups: readonly Group[] = [
  { name: 'what', title: 'form.what', Own: PictureFields },
  { name: 'howMuch', title: 'form.howMuch', Own: StockFields },
  { name: 'languages', title: 'form.languages', hint: 'form.languagesHint', isFolded: true, Own: OtherTexts },
  { name: 'when', title: 'form.when', hint: 'form.zone', Own: WindowRows },
  { name: 'draw', title: 'drawn.title', hint: 'drawn.formLead', isFolded: true, kind: 'goods', Own: DrawStart },
  { name: 'validity', title: 'form.validity', hint: 'form.validityHint' },
  { name: 'rules', title: 'form.rules' },
  { name: 'gate', title: 'gate.title', hint: 'gate.text', isFolded: true },
]

/** Hidden where the kind of sale has none of its settings. */
export function FormGroup({ form, group }: Props & { group: Group }) {
  const { voice } = useView()
  const { text } = form
  const { name, title, hint, isFolded, kind = text.kind, Own } = group
  const say = sayFor(voice, text.kind)
  const zone = typedZone(textAt(text, 'timeZone')) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = settingNames.filter((one) => settingOf(one).group === name)
  const inputs = names.filter((one) => one !== 'pictures')
  const seldom = inputs.filter((one) => seldomChanged.includes(one))
  const isHidden = kind !== text.kind || !names.some((one) => isOfKind(one, text.kind))
  const words = hint && say(hint, { zone })
  const content = (
    <>
      <SettingFields form={form} names={inputs.filter((one) => !seldom.includes(one))} />
      {Own && <Own form={form} />}
      {seldom.length > 0 && (
        <details class="more" id={`more-${name}`} hidden={!seldom.some((one) => isAsked(one, text))}>
          <summary>{voice.t('step.more')}</summary>
          <div class="more__fields">
            <SettingFields form={form} names={seldom} />
          </div>
        </details>
      )}
    </>
  )
  if (isFolded)
    return (
      <details class="gate" id={name} hidden={isHidden}>
        <summary>{say(title)}</summary>
        <p class="field__hint">{words}</p>
        <div class="gate__fields">{content}</div>
      </details>
    )
  return (
    // The zone of the sale is that of all its times.
    <fieldset class="group" aria-describedby={hint && `${name}-hint when-hint`} hidden={isHidden}>
      <legend>{say(title)}</legend>
      {words && (
        <p class="field__hint" id={`${name}-hint`}>
          {words}
        </p>
      )}
      {content}
    </fieldset>
  )
}

function SettingFields({ form, names }: Props & { names: readonly SettingName[] }) {
  return names.map((name) => <SettingField key={name} form={form} name={name} />)
}

function StockFields({ form }: Props) {
  const { voice } = useView()
  const { text, sale } = form
  const { kind, windows, variants } = text
  // A stock that is loaded without variants gets none.
  const mayHaveVariants = variants.length > 0 || lockOf('variants', sale) === undefined
  return (
    <>
      <p class="field__hint" hidden={windows.length === 0 && !hasVariants(text)}>
        {sayFor(voice, kind)(hasVariants(text) ? 'variant.stockNote' : 'window.stockNote')}
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

/** Says when the result of a draw is known, and lets the sale start then. */
function DrawStart({ form: { text, enter, sale } }: Props) {
  const { voice } = useView()
  const earliest = firstDrawStart(text)
  const timeZone = typedZone(textAt(text, 'timeZone'))
  const isLate = earliest !== undefined && !(numberAt(text, 'startsAt') >= earliest)
  if (!isLate || lockOf('startsAt', sale) !== undefined) return null
  return (
    <p class="field__hint" id="draw-start">
      {voice.t('drawn.start', { at: saleMoment(voice, { timeZone }, earliest) })}{' '}
      <button
        type="button"
        class="button button--plain"
        id="start-after-draw"
        onClick={() => enter('startsAt', toLocalInput(earliest, timeZone))}
      >
        {voice.t('drawn.startThen')}
      </button>
    </p>
  )
}

/** What the sale, its variants and its pictures are called in each language that has no settings of its own. */
function OtherTexts({ form }: Props) {
  const { voice } = useViewWith(pictureMessages)
  const { variants, pictures } = form.text
  const others = languageNames.filter(([language]) => !usualLanguages.includes(language))
  const own = [
    ...variants.map((one, row) => [`variants.${row}.names`, textAt(one, 'name')] as const),
    ...pictures.map((_, row) => [`pictures.${row}.alts`, `${voice.t('picture.alt')} (${row + 1})`] as const),
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
          {languageNames.map(([language, name]) => (
            <Fragment key={language}>{field(`${path}.${language}`, language, `${label} · ${name}`)}</Fragment>
          ))}
        </Fragment>
      ))}
    </>
  )
}
