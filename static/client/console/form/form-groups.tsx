/** The groups of the sale form: what is asked for, in which order, and in which words for each kind of sale. */
import { type ComponentChildren, Fragment } from 'preact'
import { maxAlternativeText, maxDescription, maxTitle } from '../../../../core/body-limits.ts'
import { usualLanguages } from '../../../../core/language.ts'
import { type SettingName, type settingGroups, settingNames, settingOf } from '../../../../core/sale/settings.ts'
import { maxVariantName } from '../../../../core/sale/variants.ts'
import { drawPanelMessages, languageNames, pictureMessages } from '../../../messages/catalogues.ts'
import { TextArea, TextField } from '../lib/field.tsx'
import { type Key, sayFor } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { fromLocalInput, toLocalInput, typedZone } from '../lib/typed.ts'
import { useView, useViewWith } from '../view-place.ts'
import { firstDrawStart } from './field-errors.ts'
import { type FormState, SettingField } from './form-fields.tsx'
import { inputsOf, isAskedFor, partsOf } from './form-text.ts'
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
    <FormGroup form={form} title="form.what">
      <SettingFields form={form} group="what" />
      <PictureFields form={form} />
      <SeldomChanged form={form} group="what" />
      <Options id="pictures" values={knownPictures} />
    </FormGroup>
  )
}

export function HowMuchGroup({ form }: Props) {
  const { voice } = useView()
  const { text, sale } = form
  const { kind, windows, variants } = text
  const hasVariants = variants.length > 0 && kind === 'goods'
  // A stock that is loaded without variants gets none.
  const mayHaveVariants = variants.length > 0 || lockOf('variants', sale) === undefined
  return (
    <FormGroup form={form} title="form.howMuch">
      <SettingFields form={form} group="howMuch" />
      <p class="field__hint" hidden={windows.length === 0 && !hasVariants}>
        {sayFor(voice, kind)(hasVariants ? 'variant.stockNote' : 'window.stockNote')}
      </p>
      <VariantRows form={form} isHidden={kind !== 'goods' || !mayHaveVariants} />
      <SeldomChanged form={form} group="howMuch" />
      <Options id="currencies" values={currencies} />
    </FormGroup>
  )
}

export function WhenGroup({ form }: Props) {
  const { voice } = useView()
  const zone = typedZone(form.text.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <FormGroup form={form} title="form.when" describedBy="zone">
      <p class="field__hint" id="zone">
        {voice.t('form.zone', { zone })}
      </p>
      <SettingFields form={form} group="when" />
      <WindowRows form={form} />
      <SeldomChanged form={form} group="when" />
    </FormGroup>
  )
}

export function ValidityGroup({ form }: Props) {
  const { voice } = useView()
  return (
    <FormGroup
      form={form}
      title="form.validity"
      describedBy="validity-hint zone"
      isHidden={form.text.kind !== 'coupon'}
    >
      <p class="field__hint" id="validity-hint">
        {voice.t('form.validityHint')}
      </p>
      <SettingFields form={form} group="validity" />
    </FormGroup>
  )
}

export function RulesGroup({ form }: Props) {
  return (
    <FormGroup form={form} title="form.rules" isHidden={form.text.kind === 'red-packet'}>
      <SettingFields form={form} group="rules" />
      <SeldomChanged form={form} group="rules" />
    </FormGroup>
  )
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
  const zone = typedZone(text.timeZone)
  const starts = fromLocalInput(text.startsAt, zone)
  const isLate = earliest !== undefined && !(starts >= earliest) && lockOf('startsAt', sale) === undefined
  return (
    <Folded id="draw" title={voice.t('drawn.title')} text={voice.t('drawn.formLead')} isHidden={text.kind !== 'goods'}>
      <SettingFields form={form} group="draw" />
      {isLate && (
        <p class="field__hint" id="draw-start">
          {voice.t('drawn.start', { at: saleMoment(voice, text, earliest) })}{' '}
          <button
            type="button"
            class="button button--plain"
            id="start-after-draw"
            onClick={() => enter('startsAt', toLocalInput(earliest, zone))}
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

/** Title and description in each language that has no settings of its own. */
function OtherTexts({ form: { text, change } }: Props) {
  const { voice } = useViewWith(pictureMessages)
  const { variants, pictures } = text
  const others = languageNames.filter(([language]) => !usualLanguages.includes(language))
  const input = (path: string, label: string) => ({
    field: { name: `translations.${path}`, label },
    value: text.texts[path] ?? '',
    enter: (typed: string) => change({ ...text, texts: { ...text.texts, [path]: typed } }),
    lang: path.split('.')[0],
  })
  return (
    <>
      {others.map(([language, name]) => (
        <Fragment key={language}>
          <TextField
            {...input(`${language}.title`, voice.t('form.titleIn', { language: name }))}
            maxlength={maxTitle}
          />
          <TextArea
            {...input(`${language}.description`, voice.t('form.descriptionIn', { language: name }))}
            rows={3}
            maxlength={maxDescription}
          />
        </Fragment>
      ))}
      {variants.map((one, row) => (
        <OwnTexts
          key={row}
          {...{ name: `variants.${row}.names`, label: one.name, texts: one.names, maxlength: maxVariantName }}
          enter={(names) => change({ variants: variants.with(row, { ...one, names }) })}
        />
      ))}
      {pictures.map((one, row) => (
        <OwnTexts
          key={row}
          {...{ name: `pictures.${row}.alts`, texts: one.alts, maxlength: maxAlternativeText }}
          label={`${voice.t('picture.alt')} (${row + 1})`}
          enter={(alts) => change({ pictures: pictures.with(row, { ...one, alts }) })}
        />
      ))}
    </>
  )
}

type OwnTextsProps = {
  name: string
  label: string
  texts: Readonly<Record<string, string>> | undefined
  maxlength: number
  enter(texts: Record<string, string>): void
}

/** The name of a variant, or what a picture shows, in each language. */
function OwnTexts({ name, label, texts, maxlength, enter }: OwnTextsProps) {
  return languageNames.map(([language, own]) => (
    <TextField
      key={language}
      field={{ name: `${name}.${language}`, label: `${label} · ${own}` }}
      value={texts?.[language] ?? ''}
      enter={(typed) => enter({ ...texts, [language]: typed })}
      lang={language}
      maxlength={maxlength}
    />
  ))
}

type GroupProps = Props & { title: Key; describedBy?: string; isHidden?: boolean; children: ComponentChildren }

function FormGroup({ form, title, describedBy, isHidden = false, children }: GroupProps) {
  const { voice } = useView()
  return (
    <fieldset class="group" aria-describedby={describedBy} hidden={isHidden}>
      <legend>{sayFor(voice, form.text.kind)(title)}</legend>
      {children}
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

function SeldomChanged({ form, group }: Props & { group: SettingGroup }) {
  const { voice } = useView()
  const { text } = form
  const isHidden = !namesIn(group, true).some((name) => isAskedFor(name, text.kind, partsOf(text)))
  return (
    <details class="more" id={`more-${group}`} hidden={isHidden}>
      <summary>{voice.t('step.more')}</summary>
      <div class="more__fields">
        <SettingFields form={form} group={group} isSeldom />
      </div>
    </details>
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
