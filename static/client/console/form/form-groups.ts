/**
 * The groups of the sale form: what is asked for, in which order, and in which words for each kind
 * of sale.
 */
import type { Sale } from '../../../../core/sale/sale.ts'
import {
  type SaleKind,
  type SettingName,
  type settingGroups,
  settingNames,
  settingOf,
} from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import type { Labelled } from '../../lib/labelled.ts'
import { type Key, sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import type { Place } from './field-errors.ts'
import { followLimit, formFields, suggestId } from './form-fields.ts'
import { type FormParts, type FormText, inputsOf, isAskedFor, ownWindowText } from './form-text.ts'
import { lockOf } from './locked-settings.ts'
import { pictureFields } from './picture-fields.ts'
import { variantRows } from './variant-fields.ts'
import { windowRows } from './window-fields.ts'

const knownPictures = ['mug', 'lamp', 'tea', 'teapot', 'sneaker', 'ticket', 'packet'].map(pictureNamed)
type SettingGroup = (typeof settingGroups)[number]

const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

/** Settings whose default suits most sales, folded up at the end of their group. */
const seldomChanged: readonly SettingName[] = [
  'saleId',
  'shards',
  'paymentGraceSeconds',
  'supportRefundLimit',
]

function pictureNamed(name: string): string {
  return `/assets/pictures/${name}.svg`
}

/** `sale` is the one that is edited; undefined for a new one. */
export function formGroups(voice: ConsoleVoice, text: FormText, sale: Sale | undefined) {
  let { kind } = text
  const plain = formFields(voice, text, sale)
  const { fields, input } = plain
  const { elements, legends, stockNote, folds } = groupElements(voice, plain)
  const { when, validity, rules } = elements
  const pictures = pictureFields(voice, text.pictures)
  folds.what.element.before(pictures.element)
  if (sale === undefined) {
    suggestId(input('title'), input('saleId'))
    followLimit(input('limitPerShopper'), input('maxPerOrder'))
  }

  const parts: FormParts = { hasWindows: false, hasVariants: text.variants.length > 0 }
  // A stock that is loaded without variants gets none.
  const mayHaveVariants = text.variants.length > 0 || lockOf('variants', sale) === undefined
  const variants = variantRows(voice, {
    variants: text.variants,
    lock: lockOf('variants', sale),
    onChange(typed) {
      parts.hasVariants = typed.length > 0
      windows.followVariants(typed)
      show()
    },
  })
  const windows = windowRows(voice, {
    kind,
    windows: text.windows,
    variants: text.variants,
    lock: lockOf('windows', sale),
    sale: () => ownWindowText(entered()),
    onChange(some) {
      parts.hasWindows = some
      show()
    },
  })
  when.append(windows.element)
  folds.howMuch.element.before(variants.element)

  function show(): void {
    const say = sayFor(voice, kind)
    for (const [key, legend] of legends) setText(legend, say(key))
    const hasVariants = parts.hasVariants && kind === 'goods'
    plain.show(kind, parts)
    for (const { element, names } of Object.values(folds)) {
      element.hidden = !names.some((name) => isAskedFor(name, kind, parts))
    }
    stockNote.hidden = !parts.hasWindows && !hasVariants
    setText(stockNote, say(hasVariants ? 'variant.stockNote' : 'window.stockNote'))
    variants.element.hidden = kind !== 'goods' || !mayHaveVariants
    rules.hidden = kind === 'red-packet'
    validity.hidden = kind !== 'coupon'
  }

  /** What stands in the form now. */
  function entered(): FormText {
    return {
      ...plain.values(),
      kind,
      windows: windows.values(),
      pictures: pictures.values(),
      variants: variants.values(),
    }
  }

  return {
    elements,
    entered,
    /** Every input by the place of its complaints. */
    inputs: (): [Place, Pick<Labelled, 'complain'>][] => [
      ...fields,
      ...windows.fields(),
      ...pictures.fields(),
      ['windows', windows],
      ...variants.fields(),
      ['variants', variants],
    ],
    /** Switches to the fields of that kind of sale. */
    follow(other: SaleKind): void {
      kind = other
      windows.follow(kind)
    },
  }
}

/** The groups with their fields, and the parts of them whose words depend on the kind of sale. */
function groupElements(voice: ConsoleVoice, fields: Pick<ReturnType<typeof formFields>, 'field'>) {
  const legends = new Map<Key, HTMLElement>()
  const group = (title: Key, ...parts: Node[]) => {
    const legend = make('legend', {}, voice.t(title))
    legends.set(title, legend)
    return make('fieldset', { class: 'group' }, legend, ...parts)
  }
  const usual = (group: SettingGroup) => namesIn(group).filter((name) => !seldomChanged.includes(name))
  const shown = (group: SettingGroup) => usual(group).map(fields.field)
  const fold = (group: SettingGroup) => {
    const names = namesIn(group).filter((name) => seldomChanged.includes(name))
    return { element: foldUp(voice.t('step.more'), `more-${group}`, names.map(fields.field)), names }
  }
  const hint = (id: string, text: string) => make('p', { class: 'field__hint', id }, text)
  const zone = voice.t('form.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })

  const folds = { what: fold('what'), howMuch: fold('howMuch'), rules: fold('rules') }
  const what = group('form.what', ...shown('what'), folds.what.element, options('pictures', knownPictures))
  const stockNote = make('p', { class: 'field__hint' })
  const howMuch = group(
    'form.howMuch',
    ...shown('howMuch'),
    stockNote,
    folds.howMuch.element,
    options('currencies', currencies),
  )
  const when = group('form.when', hint('zone', zone), ...shown('when'))
  const validity = group(
    'form.validity',
    hint('validity-hint', voice.t('form.validityHint')),
    ...shown('validity'),
  )
  when.setAttribute('aria-describedby', 'zone')
  validity.setAttribute('aria-describedby', 'validity-hint zone')
  const rules = group('form.rules', ...shown('rules'), folds.rules.element)
  // Folded up: the defaults suit most sales.
  const gate = make(
    'details',
    { class: 'gate', id: 'gate' },
    make('summary', {}, voice.t('gate.title')),
    make('p', { class: 'field__hint' }, voice.t('gate.text')),
    make('div', { class: 'gate__fields' }, ...shown('gate')),
  )
  // Folded up: most sales have the text of one language.
  const languages = make(
    'details',
    { class: 'gate', id: 'languages' },
    make('summary', {}, voice.t('form.languages')),
    make('p', { class: 'field__hint' }, voice.t('form.languagesHint')),
    make('div', { class: 'gate__fields' }, ...shown('languages')),
  )
  return { elements: { what, languages, howMuch, when, validity, rules, gate }, legends, stockNote, folds }
}

/** The settings of a group that have inputs of their own, in their order. */
const namesIn = (group: SettingGroup): SettingName[] =>
  settingNames.filter((name) => settingOf(name).group === group && inputsOf(name).length > 0)

function foldUp(title: string, id: string, fields: readonly HTMLElement[]): HTMLElement {
  return make(
    'details',
    { class: 'more', id },
    make('summary', {}, title),
    make('div', { class: 'more__fields' }, ...fields),
  )
}

function options(id: string, values: readonly string[]): HTMLElement {
  return make('datalist', { id }, ...values.map((value) => make('option', { value })))
}
