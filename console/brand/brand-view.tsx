/** Edits the brand of the shop, with a live preview. */
import { useState } from 'preact/hooks'
import { pictureTypes } from '../../core/api/pictures.ts'
import {
  type Brand,
  type BrandRecord,
  type BrandText,
  brand as brandSchema,
  brandTextIn,
  isColour,
  maxBrandAddress,
  maxBrandName,
  maxLegalLinks,
  maxLinkLabel,
  maxSellerText,
  maxTagline,
  offeredLanguages,
} from '../../core/brand.ts'
import { accentContrast, minContrast, type Scheme, schemes, shadesOf, surfaces } from '../../core/contrast.ts'
import type { Language } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { pictureUrl } from '../../core/sale/pictures.ts'
import { settingValue } from '../../core/sale/settings.ts'
import { languageNames } from '../../templates/messages/catalogues.ts'
import { shopName } from '../../templates/messages/shop-name.ts'
import { control } from '../api.ts'
import { RowList } from '../form/row-list.tsx'
import {
  isFailed,
  isUploading,
  startUpload,
  uploadNote,
  uploadState,
  uploadsEnded,
  useUpload,
} from '../form/uploads.ts'
import { callAfter } from '../parts/ask-before.ts'
import { useEntryForm } from '../parts/entry-form.ts'
import { ColourField, Form, SelectField, SubmitButton, TextField } from '../parts/field.tsx'
import type { Translator } from '../parts/kind-words.ts'
import { isSame, type Row, type TextPart, textAt, withPart } from '../parts/text-parts.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { useView, type ViewContext } from '../view.ts'

export async function openBrand(context: ViewContext): Promise<void> {
  const answer = await control.getBrand()
  if (context.isLeft()) return
  if (answer.ok) context.draw(<BrandPage first={answer.value} />)
  else context.explain(answer.reply)
}

function BrandPage({ first }: { first: BrandRecord }) {
  const [record, setRecord] = useState(first)
  return <BrandForm key={record.revision} record={record} take={setRecord} />
}

type Entered = { entry: BrandEntry; logo: LogoText }

const enteredOf = ({ brand }: BrandRecord): Entered => ({ entry: brandEntry(brand), logo: { src: brand.logo } })

const address = { maxlength: maxBrandAddress, spellcheck: false, autocapitalize: 'none' } as const

/** `record` is the saved brand; `take` receives a newer one. */
function BrandForm({ record, take }: { record: BrandRecord; take(record: BrandRecord): void }) {
  const context = useView()
  const { voice, announce, keep, isLeft } = context
  const [entered, setEntered] = useState(enteredOf(record))
  const { entry, logo } = entered
  const { languages, links } = entry
  const read = parse(brandSchema, brandOf(entry, logo.src))

  function wordsOf(path: string) {
    const field = fieldOf(path)
    const [, name] = languageNames.find(([language]) => path.endsWith(`.${language}`)) ?? []
    const label = voice.t(`brand.${field}`)
    const hint = field === 'links.label' ? '' : voice.t(`brand.hint.${field}`)
    return { label: name === undefined || languages.length === 1 ? label : `${label} · ${name}`, hint }
  }

  function change(next: Partial<Entered>): void {
    setEntered((now) => ({ ...now, ...next }))
    // A message about the previous text would seem to be about this one.
    announce('')
  }

  const { complain, forget, input } = useEntryForm('brand.', wordsOf, entry, (next) => change({ entry: next }))
  const text = (path: string) => ({ ...input(path), key: path, autocomplete: 'off' })

  /** Waits for the upload of a logo, which is saved with the rest. */
  async function logoStored(): Promise<void> {
    if (!isUploading(uploadState(logo.upload))) return
    announce(voice.t('form.uploading'))
    await uploadsEnded([logo.upload ?? ''])
    announce('')
  }

  async function send(): Promise<void> {
    if (isLeft()) return
    forget()
    if (!read.ok) {
      const path = inputOf(read.field, entry)
      const why = voice.t(`brand.wrong.${fieldOf(path)}`)
      complain(path, why)
      return announce(why)
    }
    const effects = [
      ...brandEffects(voice, brandEntry(record.brand), entry),
      ...(logo.src === record.brand.logo ? [] : [voice.t('effect.brandLogo')]),
      voice.t('effect.brandWhere'),
    ]
    const choice = { value: 'save', label: voice.t('form.save'), kind: 'main' } as const
    const body = { revision: record.revision, brand: read.value }
    const asked = { title: voice.t('effect.brandAsk'), effects, choice }
    const saved = await callAfter(context, asked, () => control.changeBrand({ body }))
    if (saved === undefined) return
    take(saved)
    announce(voice.t('brand.saved'))
  }
  keep(() => !isSame(entered, enteredOf(record)))

  const offer = (after: readonly Language[]) => change({ entry: entryFor(entry, after) })
  const own = languages[0] ?? 'en'
  const typed = (path: string) => textAt(entry, path).trim()
  return (
    <>
      <h1>{voice.t('console.brand')}</h1>
      <Form class="form" id="brand-form" submit={send} ready={logoStored}>
        <TextField {...text('name')} maxlength={maxBrandName} />
        <LogoField text={logo} change={(next) => change({ logo: next })} />
        <ColourField {...text('colours.light')} usual={usual.light} pickId="pick-light" />
        <ColourField {...text('colours.dark')} usual={usual.dark} pickId="pick-dark" />
        <BrandPreview
          name={typed('name') || shopName({}, voice.language())}
          logo={logo.src}
          colours={{ light: typed('colours.light'), dark: typed('colours.dark') }}
        />
        <SelectField
          field={text('languages').field}
          options={languageNames}
          value={own}
          enter={(chosen) => offer([chosen, ...languages.filter((one) => one !== chosen)])}
        />
        <fieldset class="grid group">
          <legend>{voice.t('brand.others')}</legend>
          {languageNames
            .filter(([language]) => language !== own)
            .map(([language, name]) => (
              <label key={language} class="row check-line">
                <input
                  type="checkbox"
                  id={`brand-offers-${language}`}
                  checked={languages.includes(language)}
                  onChange={({ currentTarget: { checked } }) =>
                    offer([...languages.filter((one) => one !== language), ...(checked ? [language] : [])])
                  }
                />{' '}
                <span lang={language}>{name}</span>
              </label>
            ))}
        </fieldset>
        {languages.map((language) => (
          <TextField {...text(`tagline.${language}`)} lang={language} maxlength={maxTagline} />
        ))}
        <RowList
          {...{ list: 'links', one: 'link', rows: links, max: maxLegalLinks }}
          say={(word, args) => voice.t(word === 'title' ? 'brand.links' : `brand.links.${word}`, args)}
          next={() => ({ label: {}, href: '' })}
          enter={(rows) => change({ entry: withPart(entry, 'links', rows) })}
        >
          {(i) => (
            <>
              {languages.map((language) => (
                <TextField {...text(`links.${i}.label.${language}`)} lang={language} maxlength={maxLinkLabel} />
              ))}
              <TextField {...text(`links.${i}.href`)} {...address} />
            </>
          )}
        </RowList>
        <TextField {...text('support')} {...address} />
        <TextField {...text('seller.name')} maxlength={maxSellerText} />
        <TextField {...text('seller.address')} maxlength={maxSellerText} />
        <TextField {...text('seller.email')} {...address} />
        <TextField {...text('seller.phone')} maxlength={maxSellerText} />
        <TextField {...text('seller.taxId')} maxlength={maxSellerText} />
        <SubmitButton id="brand-save">{voice.t('form.save')}</SubmitButton>
      </Form>
    </>
  )
}

type Shown = { name: string; logo: string | undefined; colours: Readonly<Record<Scheme, string>> }

/** Previews the brand: a header, a price and a button, in light and dark. */
export function BrandPreview(shown: Shown) {
  return (
    <div class="grid">
      {schemes.map((scheme) => (
        <SchemePreview key={scheme} scheme={scheme} {...shown} />
      ))}
    </div>
  )
}

function SchemePreview({ scheme, name, logo, colours }: Shown & { scheme: Scheme }) {
  const { voice } = useView()
  const accent = colours[scheme]
  const isGiven = isColour(accent)
  const { accent: fill, deep, ink } = shadesOf(isGiven ? accent : usual[scheme], scheme)
  const ratio = isGiven ? accentContrast(accent, scheme) : undefined
  const isLow = ratio !== undefined && ratio < minContrast
  const contrast = isLow ? 'brand.contrastLow' : 'brand.contrast'
  return (
    <figure>
      <figcaption>{voice.t(`brand.colours.${scheme}`)}</figcaption>
      <div
        class="brand-preview"
        data-scheme={scheme}
        style={{ background: surfaces[scheme][0] ?? '', color: textColours[scheme] }}
      >
        <strong>{logo === undefined ? name : <img src={pictureUrl(logo, 160)} alt={name} height={36} />}</strong>
        <span class="brand-preview__price" style={{ color: deep }}>
          {voice.money(2400, 'EUR')}
        </span>
        <span class="button" style={{ background: fill, color: ink }}>
          {voice.t('brand.sampleButton')}
        </span>
      </div>
      <p class={`field__hint ${isLow ? 'field__error' : ''}`} role="status" data-contrast={scheme}>
        {ratio !== undefined && voice.t(contrast, { ratio: ratio.toFixed(2) })}
      </p>
    </figure>
  )
}

/** `--accent` and `--ink` of `static/styles/tokens.css`. */
export const usual: Readonly<Record<Scheme, string>> = { light: '#bf3617', dark: '#ff8a69' }
const textColours: Readonly<Record<Scheme, string>> = { light: '#1d1b18', dark: '#f4f0e8' }

/** The logo in the form. `src` is the former logo until the `upload` is stored. */
type LogoText = { src: string | undefined; upload?: string }

/** `change` is called with another logo, or none. */
function LogoField({ text, change }: { text: LogoText; change(text: LogoText): void }) {
  const { voice } = useView()
  const state = useUpload(text.upload, (src) => change({ src }))
  return (
    <div class="field">
      <label for="logo-file">{voice.t('brand.logo')}</label>
      <input
        type="file"
        id="logo-file"
        accept={pictureTypes.join(',')}
        aria-describedby="logo-hint logo-note"
        onChange={({ currentTarget: input }) => {
          const [chosen] = input.files ?? []
          if (chosen !== undefined) change({ src: text.src, upload: startUpload(chosen) })
          input.value = ''
        }}
      />
      <p class="field__hint" id="logo-hint">
        {voice.t('brand.logoHint')}
      </p>
      <p class={`field__hint ${isFailed(state) ? 'field__error' : ''}`} id="logo-note" role="status">
        {state && uploadNote(voice, state)}
      </p>
      <PlainButton id="logo-remove" hidden={text.src === undefined} onClick={() => change({ src: undefined })}>
        {voice.t('brand.removeLogo')}
      </PlainButton>
    </div>
  )
}

/** The fields with their own labels, in the order of the form. */
const fields = [
  ...(['name', 'colours.light', 'colours.dark', 'languages', 'tagline', 'links', 'support'] as const),
  ...(['seller.name', 'seller.address', 'seller.email', 'seller.phone', 'seller.taxId'] as const),
] as const
export type BrandField = Exclude<(typeof fields)[number], 'links'> | 'links.label' | 'links.href'

/** `languages` are those of the shop, its own first. Each text has an input for each of them. */
export type BrandEntry = Row & { readonly languages: readonly Language[]; readonly links: readonly Row[] }

export function brandEntry(brand: Brand): BrandEntry {
  const { name, colours, support, links = [], tagline = {}, seller } = brand
  const languages = offeredLanguages(brand)
  return {
    ...{ name, colours, support, seller, languages },
    links: links.map(({ label, href }) => ({ label: writtenIn(label, languages), href })),
    tagline: writtenIn(tagline, languages),
  }
}

/** Returns the text by language. With one language it is the text that its readers see so far. */
const writtenIn = (text: BrandText, languages: readonly Language[]): BrandText =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      languages.length === 1 ? brandTextIn(text, language) : (text[language] ?? ''),
    ]),
  )

/** Returns the entry with inputs for other languages. */
export function entryFor(entry: BrandEntry, languages: readonly Language[]): BrandEntry {
  const written = (text: TextPart | undefined) => writtenIn((filled(text) ?? {}) as BrandText, languages)
  const links = entry.links.map((link) => ({ ...link, label: written(link.label) }))
  return { ...entry, languages, links, tagline: written(entry.tagline) }
}

/** Returns the parts with a text; undefined without any. */
function filled(part: TextPart | undefined): unknown {
  if (typeof part !== 'object') return part?.trim() || undefined
  const parts = Object.entries(part).map(([name, inner]) => [name, filled(inner)])
  const known = parts.filter(([, inner]) => inner !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

type Filled = { tagline?: BrandText; colours?: object; seller?: object }

/** Returns the entered brand, unchecked and without empty fields. */
export function brandOf(entry: BrandEntry, logo: string | undefined): unknown {
  const { languages, links, ...texts } = entry
  const { tagline, colours, seller, ...others } = (filled(texts) ?? {}) as Filled
  const inLanguages = {
    ...(links.length > 0 && {
      links: links.map((link) => ({
        label: (filled(link.label) ?? {}) as BrandText,
        href: textAt(link, 'href').trim(),
      })),
    }),
    ...(tagline && { tagline }),
  }
  return {
    ...others,
    ...(logo !== undefined && { logo }),
    ...(colours && { colours: { light: '', dark: '', ...colours } }),
    ...inLanguages,
    // Languages that follow from the texts are not saved.
    ...(!isSame(offeredLanguages(inLanguages), languages) && { languages }),
    ...(seller && { seller: { name: '', address: '', email: '', phone: '', ...seller } }),
  }
}

/** Returns the changes to the brand, a line for each field. */
export function brandEffects(voice: Pick<Translator, 't'>, before: BrandEntry, after: BrandEntry): string[] {
  const shown = (entry: BrandEntry, field: string) =>
    textsIn(settingValue(entry, field)).join(' · ') || voice.t('effect.empty')
  return fields
    .map((field) => ({ name: voice.t(`brand.${field}`), before: shown(before, field), after: shown(after, field) }))
    .filter((change) => change.before !== change.after)
    .map((change) => voice.t('effect.brandChange', change))
}

function textsIn(part: unknown): string[] {
  if (typeof part === 'object' && part !== null) return Object.values(part).flatMap(textsIn)
  return typeof part === 'string' && part.trim() !== '' ? [part.trim()] : []
}

/** Returns the path of the input for the field of the API at that path. */
export function inputOf(path: string, { languages: [own] }: BrandEntry): string {
  if (path.startsWith('languages')) return 'languages'
  return /^links\.\d+\.label$/.test(path) ? `${path}.${own}` : path
}

/** Returns the field of an input, without the row number and the language in its path. */
export const fieldOf = (path: string): BrandField =>
  path.replace(/\.\d+/, '').replace(/^(tagline|links\.label)\..*/, '$1') as BrandField
