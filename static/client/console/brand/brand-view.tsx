/** The brand of the shop: its form, with a preview that follows what is entered. */
import { useState } from 'preact/hooks'
import {
  type BrandRecord,
  brand as brandSchema,
  maxBrandAddress,
  maxBrandName,
  maxSellerText,
  maxTagline,
  shopName,
} from '../../../../core/brand.ts'
import { parse } from '../../../../core/lib/parse.ts'
import { brandFormMessages } from '../../../messages/console/brand.ts'
import { changeBrand, getBrand } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { ColourField } from '../lib/colour-field.tsx'
import { Form, focusField, SelectField, TextArea, TextField } from '../lib/field.tsx'
import { useOneAtATime } from '../lib/work-button.tsx'
import { failureText, type ViewContext } from '../view.ts'
import { useViewWith } from '../view-place.ts'
import { isUploading, LogoField, type LogoText, logoIn } from './brand-logo.tsx'
import { BrandPreview, usual } from './brand-preview.tsx'
import {
  type BrandInput,
  type BrandTexts,
  brandEffects,
  brandOfTexts,
  inputOf,
  type LanguageChoice,
  languageChoices,
  languagesOfBrand,
  linesFor,
  textsOfBrand,
} from './brand-text.ts'

export async function openBrand(context: ViewContext): Promise<void> {
  const answer = await getBrand()
  if (context.isLeft()) return
  if (answer.ok) context.draw(<Brand first={answer.value} />)
  else context.explain(answer.reply)
}

function Brand({ first }: { first: BrandRecord }) {
  const [record, setRecord] = useState(first)
  return <BrandForm key={record.revision} record={record} take={setRecord} />
}

type Entered = { texts: BrandTexts; languages: LanguageChoice; logo: LogoText }

const enteredOf = ({ brand }: BrandRecord): Entered => ({
  texts: textsOfBrand(brand),
  languages: languagesOfBrand(brand),
  logo: { src: brand.logo },
})

const address = { maxlength: maxBrandAddress, spellcheck: false, autocapitalize: 'none' } as const

/** `record` is what is saved; `take` receives what was saved since. */
function BrandForm({ record, take }: { record: BrandRecord; take(record: BrandRecord): void }) {
  const { voice, announce, isLeft, keep } = useViewWith(brandFormMessages)
  const [entered, setEntered] = useState(enteredOf(record))
  const [complained, setComplained] = useState<BrandInput>()
  const { texts, languages, logo } = entered
  const read = parse(brandSchema, brandOfTexts(texts, languages, logoIn(logo)))
  const wrong = read.ok ? undefined : inputOf(read.field)
  if (complained !== undefined && complained !== wrong) setComplained(undefined)

  function change(next: Partial<Entered>): void {
    setEntered((now) => ({ ...now, ...next }))
    // A message about what was entered before would seem to be about this.
    announce('')
  }

  const [send] = useOneAtATime(async () => {
    setComplained(undefined)
    if (isUploading(logo)) return announce(voice.t('brand.uploading'))
    if (!read.ok) {
      const name = inputOf(read.field)
      setComplained(name)
      focusField(`brand.${name}`)
      return announce(voice.t(`brand.wrong.${name}`))
    }
    if (!(await isMeant())) return
    announce(voice.t('do.working'))
    const answer = await changeBrand({ revision: record.revision, brand: read.value })
    if (isLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    take(answer.value)
    announce(voice.t('brand.saved'))
  })

  function isMeant(): Promise<boolean> {
    const effects = [
      ...brandEffects(voice, textsOfBrand(record.brand), texts),
      ...(logoIn(logo) === record.brand.logo ? [] : [voice.t('effect.brandLogo')]),
      voice.t('effect.brandWhere'),
    ]
    const choice = { value: 'save', label: voice.t('form.save'), kind: 'main' } as const
    return askBefore(voice, { title: voice.t('effect.brandAsk'), effects, choice })
  }
  keep(() => JSON.stringify(entered) !== JSON.stringify(enteredOf(record)))

  /** The field of a text, with its value and its listener. */
  const text = (name: BrandInput, isHidden = false) => ({
    field: {
      name: `brand.${name}`,
      label: voice.t(`brand.${name}`),
      hint: voice.t(`brand.hint.${name}`, { example: examples[languages] }),
      isHidden,
      error: complained === name ? voice.t(`brand.wrong.${name}`) : '',
    },
    value: texts[name],
    enter: (value: string) => change({ texts: { ...texts, [name]: value } }),
    autocomplete: 'off',
  })
  const chooseLanguages = (chosen: string) => {
    const next = languageChoices.find((one) => one === chosen) ?? 'both'
    change({ languages: next, texts: { ...texts, links: linesFor(texts.links, languages, next) } })
  }
  const name = texts.name.trim()
  return (
    <>
      <h1>{voice.t('console.brand')}</h1>
      <Form class="form" id="brand-form" submit={send}>
        <TextField {...text('name')} maxlength={maxBrandName} />
        <LogoField text={logo} change={(next) => change({ logo: next })} />
        <ColourField {...text('light')} usual={usual.light} pickId="pick-light" />
        <ColourField {...text('dark')} usual={usual.dark} pickId="pick-dark" />
        <BrandPreview
          name={name === '' ? shopName({}, voice.language()) : name}
          logo={logoIn(logo)}
          colours={{ light: texts.light.trim(), dark: texts.dark.trim() }}
        />
        <SelectField
          field={{
            name: 'brand.languages',
            label: voice.t('brand.languages'),
            hint: voice.t('brand.hint.languages'),
          }}
          options={languageChoices.map((one) => [one, voice.t(`brand.languages.${one}`)])}
          value={languages}
          enter={chooseLanguages}
        />
        <TextField {...text('taglineEn', languages === 'zh-CN')} maxlength={maxTagline} />
        <TextField {...text('taglineZh', languages === 'en')} maxlength={maxTagline} />
        <TextArea {...text('links')} rows={4} spellcheck={false} />
        <TextField {...text('support')} {...address} />
        <TextField {...text('sellerName')} maxlength={maxSellerText} />
        <TextField {...text('sellerAddress')} maxlength={maxSellerText} />
        <TextField {...text('sellerEmail')} {...address} />
        <TextField {...text('sellerPhone')} maxlength={maxSellerText} />
        <TextField {...text('sellerTaxId')} maxlength={maxSellerText} />
        <button type="submit" class="button" id="brand-save">
          {voice.t('form.save')}
        </button>
      </Form>
    </>
  )
}

const examples: Readonly<Record<LanguageChoice, string>> = {
  both: 'Privacy | 隐私政策 | https://…',
  en: 'Privacy | https://…',
  'zh-CN': '隐私政策 | https://…',
}
