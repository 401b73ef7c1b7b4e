/** The groups of the sale form: what is asked for, in which order, and in which words for each kind of sale. */
import { type ComponentChildren, Fragment } from 'preact'
import { usualLanguages } from '../../../../core/language.ts'
import {
  isOfKind,
  type SettingName,
  type settingGroups,
  settingNames,
  settingOf,
} from '../../../../core/sale/settings.ts'
import { drawPanelMessages, languageNames, pictureMessages } from '../../../messages/catalogues.ts'
import { type Key, sayFor } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { toLocalInput, typedZone } from '../lib/typed.ts'
import { useView, useViewWith } from '../view-place.ts'
import { firstDrawStart } from './faults.ts'
import { inputsOf } from './fields.ts'
import { FormField, type FormState, SettingField } from './form-fields.tsx'
import { hasVariants, isAsked, numberAt, textAt } from './form-text.ts'
import { lockOf } from './locked-settings.ts'
import { PictureFields } from './picture-fields.tsx'
import { VariantRows } from './variant-fields.tsx'
import { WindowRows } from './window-fields.tsx'

const pictureNames = ['mug', 'lamp', 'tea', 'teapot', 'sneaker', 'ticket', 'packet']
const knownPictures = pictureNames.map((name) => `/assets/pictures/${name}.svg`)
const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

type SettingGroup = (typeof settingGroups)[number]

/** Settings whose default suits most sales, folded up at the end of their group. */
const seldomChanged: readonly SettingName[] = [
  'saleId',
  'shards',
  'paymentGraceSeconds',
  'supportRefundLimit',
  'timeZone',
]

type Props = { form: FormState }

export function WhatGroup({ form }: Props) {
  return (
    <FormGroup form={form} group="what" title="form.what">
      <PictureFields form={form} />
      <Options id="pictures" values={knownPictures} />
    </FormGroup>
  )
}

export function HowMuchGroup({ form }: Props) {
  const { voice } = useView()
  const { text, sale } = form
  const { kind, windows, variants } = text
  // A stock that is loaded without variants gets none.
  const mayHaveVariants = variants.length > 0 || lockOf('variants', sale) === undefined
  return (
    <FormGroup form={form} group="howMuch" title="form.howMuch">
      <p class="field__hint" hidden={windows.length === 0 && !hasVariants(text)}>
        {sayFor(voice, kind)(hasVariants(text) ? 'variant.stockNote' : 'window.stockNote')}
      </p>
      <VariantRows form={form} isHidden={kind !== 'goods' || !mayHaveVariants} />
      <Options id="currencies" values={currencies} />
    </FormGroup>
  )
}

export function WhenGroup({ form }: Props) {
  const { voice } = useView()
  const zone = typedZone(textAt(form.text, 'timeZone')) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = { id: 'zone', words: voice.t('form.zone', { zone }) }
  return (
    <FormGroup form={form} group="when" title="form.when" describedBy="zone" hint={hint}>
      <WindowRows form={form} />
    </FormGroup>
  )
}

export function ValidityGroup({ form }: Props) {
  const { voice } = useView()
  const hint = { id: 'validity-hint', words: voice.t('form.validityHint') }
  return <FormGroup form={form} group="validity" title="form.validity" describedBy="validity-hint zone" hint={hint} />
}

export function RulesGroup({ form }: Props) {
  return <FormGroup form={form} group="rules" title="form.rules" />
}

const foldedWords = {
  gate: { title: 'gate.title', text: 'gate.text' },
  languages: { title: 'form.languages', text: 'form.languagesHint' },
} as const

/** Folded up: the defaults suit most sales, and most have the text of one language. */
export function FoldedGroup({ form, group }: Props & { group: keyof typeof foldedWords }) {
  const { voice } = useView()
  const { title, text } = foldedWords[group]
  return (
    <Folded id={group} title={voice.t(title)} text={voice.t(text)}>
      <SettingFields form={form} group={group} />
      {group === 'languages' && <OtherTexts form={form} />}
    </Folded>
  )
}

/** Most sales draw nothing. It says when the result is known, and lets the sale start then. */
export function DrawGroup({ form }: Props) {
  const { voice } = useViewWith(drawPanelMessages)
  const { text, enter, sale } = form
  const earliest = firstDrawStart(text)
  const timeZone = typedZone(textAt(text, 'timeZone'))
  const isLate =
    earliest !== undefined && !(numberAt(text, 'startsAt') >= earliest) && lockOf('startsAt', sale) === undefined
  return (
    <Folded id="draw" title={voice.t('drawn.title')} text={voice.t('drawn.formLead')} isHidden={text.kind !== 'goods'}>
      <SettingFields form={form} group="draw" />
      {isLate && (
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
      )}
    </Folded>
  )
}

type FoldedProps = { id: string; title: string; text: string; isHidden?: boolean; children: ComponentChildren }

function Folded({ id, title, text, isHidden = false, children }: FoldedProps) {
  return (
    <details class="gate" id={id} hidden={isHidden}>
      <summary>{title}</summary>
      <p class="field__hint">{text}</p>
      <div class="gate__fields">{children}</div>
    </details>
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

type GroupProps = Props & {
  group: SettingGroup
  title: Key
  describedBy?: string
  hint?: { id: string; words: string }
  children?: ComponentChildren
}

/** The settings of a group, what else it has, and those that seldom change; hidden where the kind of sale has none of them. */
function FormGroup({ form, group, title, describedBy, hint, children }: GroupProps) {
  const { voice } = useView()
  const { text } = form
  const isEmpty = !settingNames.some((name) => settingOf(name).group === group && isOfKind(name, text.kind))
  return (
    <fieldset class="group" aria-describedby={describedBy} hidden={isEmpty}>
      <legend>{sayFor(voice, text.kind)(title)}</legend>
      {hint && (
        <p class="field__hint" id={hint.id}>
          {hint.words}
        </p>
      )}
      <SettingFields form={form} group={group} />
      {children}
      <details class="more" id={`more-${group}`} hidden={!namesIn(group, true).some((name) => isAsked(name, text))}>
        <summary>{voice.t('step.more')}</summary>
        <div class="more__fields">
          <SettingFields form={form} group={group} isSeldom />
        </div>
      </details>
    </fieldset>
  )
}

/** The settings of a group that have inputs of their own, in their order. */
const namesIn = (group: SettingGroup, isSeldom: boolean): SettingName[] =>
  settingNames.filter(
    (name) => settingOf(name).group === group && inputsOf(name).length > 0 && seldomChanged.includes(name) === isSeldom,
  )

function SettingFields({ form, group, isSeldom = false }: Props & { group: SettingGroup; isSeldom?: boolean }) {
  return (
    <>
      {namesIn(group, isSeldom).map((name) => (
        <SettingField key={name} form={form} name={name} />
      ))}
    </>
  )
}

function Options({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
