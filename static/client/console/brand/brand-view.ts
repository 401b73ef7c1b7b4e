/** The brand of the shop: its form, with a preview that follows what is entered. */

import {
  type BrandRecord,
  brand as brandSchema,
  isColour,
  maxBrandAddress,
  maxBrandName,
  maxTagline,
  shopName,
} from '../../../../core/brand.ts'
import type { Scheme } from '../../../../core/contrast.ts'
import { parse } from '../../../../core/lib/parse.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make } from '../../lib/dom.ts'
import { clearWhenRight, type Labelled, labelled } from '../../lib/labelled.ts'
import { changeBrand, getBrand } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { type ConsoleVoice, failureText, type Leave, type ViewContext } from '../view.ts'
import { type LogoText, logoField } from './brand-logo.ts'
import { brandPreview, usual } from './brand-preview.ts'
import {
  type BrandInput,
  type BrandTexts,
  brandEffects,
  brandInputs,
  brandOfTexts,
  inputOf,
  type LanguageChoice,
  languageChoices,
  languagesOfBrand,
  linesFor,
  textsOfBrand,
} from './brand-text.ts'

export function openBrand(context: ViewContext): Leave {
  let left = false
  void load()

  async function load(): Promise<void> {
    const answer = await getBrand()
    if (left) return
    if (answer.ok) drawForm(context, answer.value, enteredOf(answer.value), () => left)
    else context.explain(answer.reply)
  }

  return () => {
    left = true
  }
}

type Entered = { texts: BrandTexts; languages: LanguageChoice; logo: LogoText }

const enteredOf = ({ brand }: BrandRecord): Entered => ({
  texts: textsOfBrand(brand),
  languages: languagesOfBrand(brand),
  logo: { src: brand.logo },
})

/** `before` is what stands in the form at first, `record` what is saved. */
function drawForm(context: ViewContext, record: BrandRecord, before: Entered, hasLeft: () => boolean): void {
  const { voice, announce } = context
  const fields = brandFields(context, before.texts)
  const preview = brandPreview(voice)
  const picture = logoField(voice, before.logo, follow)
  let languages = before.languages
  const choice = languageField(voice, languages, (chosen) => {
    fields.links.input.value = linesFor(fields.links.input.value, languages, chosen)
    languages = chosen
    showLanguages()
  })
  const all = Object.values(fields)
  const texts = (): BrandTexts => ({
    name: fields.name.input.value,
    light: fields.light.input.value,
    dark: fields.dark.input.value,
    support: fields.support.input.value,
    links: fields.links.input.value,
    taglineEn: fields.taglineEn.input.value,
    taglineZh: fields.taglineZh.input.value,
  })

  function follow(): void {
    const { name, light, dark } = texts()
    const shown = name.trim() === '' ? shopName({}, voice.language()) : name.trim()
    // A message about what was entered before would seem to be about this.
    announce('')
    preview.draw({ name: shown, logo: picture.logo(), colours: { light: light.trim(), dark: dark.trim() } })
  }

  /** The inputs of the languages that the shop writes in. */
  function showLanguages(): void {
    fields.taglineEn.element.hidden = languages === 'zh-CN'
    fields.taglineZh.element.hidden = languages === 'en'
    fields.links.advise(voice.t('brand.hint.links', { example: examples[languages] }))
  }

  const read = () => parse(brandSchema, brandOfTexts(texts(), languages, picture.logo()))

  let isSending = false
  async function send(): Promise<void> {
    if (isSending) return
    for (const field of all) field.complain('')
    if (picture.isUploading()) return announce(voice.t('brand.uploading'))
    const entered = read()
    if (!entered.ok) {
      const wrong = inputOf(entered.field)
      fields[wrong].complain(voice.t(`brand.wrong.${wrong}`))
      fields[wrong].input.focus()
      return announce(voice.t(`brand.wrong.${wrong}`))
    }
    if (!(await isMeant())) return
    isSending = true
    announce(voice.t('do.working'))
    const answer = await changeBrand({ revision: record.revision, brand: entered.value })
    isSending = false
    if (hasLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    drawForm(context, answer.value, enteredOf(answer.value), hasLeft)
    announce(voice.t('brand.saved'))
  }

  function isMeant(): Promise<boolean> {
    const effects = [
      ...brandEffects(voice, textsOfBrand(record.brand), texts()),
      ...(picture.logo() === record.brand.logo ? [] : [voice.t('effect.brandLogo')]),
      voice.t('effect.brandWhere'),
    ]
    const choice: Choice = { value: 'save', label: voice.t('form.save'), kind: 'main' }
    return askBefore(voice, { title: voice.t('effect.brandAsk'), effects, choice })
  }

  const present = (): Entered => ({ texts: texts(), languages, logo: picture.text() })
  const isDirty = () => JSON.stringify(present()) !== JSON.stringify(enteredOf(record))
  context.keep({ isDirty, redraw: () => drawForm(context, record, present(), hasLeft) })
  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const { name, light, dark, support, links, taglineEn, taglineZh } = fields
  const form = make(
    'form',
    { class: 'form', id: 'brand-form', novalidate: true, submit, input: follow },
    ...[name.element, picture.element, light.element, dark.element, preview.element],
    ...[choice.element, taglineEn.element, taglineZh.element, links.element, support.element],
    make('button', { type: 'submit', class: 'button', id: 'brand-save' }, voice.t('form.save')),
  )
  for (const input of brandInputs) {
    clearWhenRight(form, fields[input], () => {
      const entered = read()
      return entered.ok || inputOf(entered.field) !== input
    })
  }
  context.show(make('h1', {}, voice.t('console.brand')), form)
  showLanguages()
  follow()
}

const examples: Readonly<Record<LanguageChoice, string>> = {
  both: 'Privacy | 隐私政策 | https://…',
  en: 'Privacy | https://…',
  'zh-CN': '隐私政策 | https://…',
}

function languageField(
  voice: ConsoleVoice,
  first: LanguageChoice,
  choose: (chosen: LanguageChoice) => void,
): Labelled {
  const option = (value: LanguageChoice) =>
    make('option', { value, selected: value === first }, voice.t(`brand.languages.${value}`))
  const change = () => choose(languageChoices.find((one) => one === select.value) ?? 'both')
  const select = make('select', { change }, ...languageChoices.map(option))
  return labelled('brand.languages', voice.t('brand.languages'), voice.t('brand.hint.languages'), select)
}

function brandFields({ voice }: ViewContext, texts: BrandTexts): Record<BrandInput, Labelled> {
  const text = (name: BrandInput, props: Record<string, string | number>): Labelled =>
    filled(name, make(name === 'links' ? 'textarea' : 'input', { autocomplete: 'off', ...props }))
  function filled(name: BrandInput, input: HTMLInputElement | HTMLTextAreaElement): Labelled {
    input.value = texts[name]
    return labelled(`brand.${name}`, voice.t(`brand.${name}`), voice.t(`brand.hint.${name}`), input)
  }
  const colour = { spellcheck: 'false', autocapitalize: 'none', maxlength: 7, placeholder: '#rrggbb' }
  return {
    name: text('name', { maxlength: maxBrandName }),
    light: withPicker(voice, text('light', colour), 'light'),
    dark: withPicker(voice, text('dark', colour), 'dark'),
    support: text('support', { maxlength: maxBrandAddress, spellcheck: 'false', autocapitalize: 'none' }),
    links: text('links', { rows: 4, spellcheck: 'false' }),
    taglineEn: text('taglineEn', { maxlength: maxTagline }),
    taglineZh: text('taglineZh', { maxlength: maxTagline }),
  }
}

/**
 * The browser's choice of a colour beside the input. Each follows the other; the picker shows the usual colour of that scheme while none is
 * entered.
 */
function withPicker(voice: ConsoleVoice, field: Labelled, scheme: Scheme): Labelled {
  const { input } = field
  const picker = make('input', {
    ...{ type: 'color', class: 'colour__picker', id: `pick-${scheme}` },
    'aria-label': voice.t('brand.pick', { name: voice.t(`brand.${scheme}`) }),
    input: () => {
      input.value = picker.value
    },
  })
  const show = () => {
    const text = input.value.trim()
    picker.value = isColour(text) ? text.toLowerCase() : usual[scheme]
  }
  const row = make('div', { class: 'colour' })
  input.replaceWith(row)
  row.append(picker, input)
  input.addEventListener('input', show)
  show()
  return field
}
