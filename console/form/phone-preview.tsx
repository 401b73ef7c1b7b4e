/** The page of a sale on a phone, beside its form or in a dialog: in a frame without scripts. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Brand, offeredLanguages } from '../../core/brand.ts'
import { type Scheme, schemes } from '../../core/contrast.ts'
import type { Language } from '../../core/language.ts'
import {
  type Assets,
  buttonState,
  claimButton,
  type OpeningKey,
  type PublicSale,
  renderRainPage,
  renderSalePage,
  roundsView,
  saleView,
  toChoiceButton,
} from '../../static/preview.ts'
import { languageNames } from '../../templates/messages/catalogues.ts'
import type { Patterns } from '../../templates/messages/text.ts'
import { byId } from '../../web/dom.ts'
import { loadPatterns } from '../../web/load-module.ts'
import { redraw } from '../../web/redraw.ts'
import { markLanguage, type Voice, voiceIn } from '../../web/voice.ts'
import { control } from '../api.ts'
import { loadConsoleWords } from '../lazy-view.tsx'
import { Segments } from '../parts/field.tsx'
import { textAt } from '../parts/text-parts.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import type { FormText } from './form-text.ts'
import { type Moment, momentOf, type PreviewState, previewSale, previewStates } from './preview-sale.ts'

/** The page is drawn again this long after a key at the latest. */
const restMs = 300

/** From here on the form leaves room for a phone; `console/styles/sale-form.css` says the same. */
const room = window.matchMedia('(min-width: 1080px)')

/** `text` is what is entered; `opener` opens the preview where it does not stand beside the form. */
export function usePhonePreview(text: FormText) {
  const { voice } = useView()
  const [hasRoom, setRoom] = useState(room.matches)
  const [isOpen, setOpen] = useState(false)
  const [brand, setBrand] = useState<Brand>({})
  const own = voice.language()
  const [look, setLook] = useState<Look>({ state: 'before', language: own, scheme: screenScheme() })
  const dialog = useRef<HTMLDialogElement>(null)
  const shown = <PhonePreview text={text} brand={brand} look={look} change={setLook} />

  useEffect(() => {
    const resized = () => setRoom(room.matches)
    room.addEventListener('change', resized)
    // The window may have changed between the drawing and this listener.
    resized()
    return () => room.removeEventListener('change', resized)
  }, [])
  // The page of the console in another language shows the page of the sale in it, too.
  useEffect(() => setLook((before) => ({ ...before, language: own })), [own])
  useEffect(() => {
    void control.getBrand().then((answer) => {
      // Without an answer the page has the shop's usual look, which is no reason to keep it back.
      if (answer.ok) setBrand(answer.value.brand)
    })
  }, [])
  useLayoutEffect(() => {
    if (hasRoom) dialog.current?.close()
  }, [hasRoom])

  function open(): void {
    setOpen(true)
    dialog.current?.showModal()
  }
  return {
    offered: offeredLanguages(brand),
    opener: (
      <PlainButton id="preview-open" hidden={hasRoom} onClick={open}>
        {voice.t('preview.title')}
      </PlainButton>
    ),
    // A frame that moves loads again.
    aside: (
      <aside class="composer__preview" aria-label={voice.t('preview.title')} hidden={!hasRoom}>
        {hasRoom && shown}
      </aside>
    ),
    dialog: (
      <dialog
        class="dialog dialog--phone"
        id="preview"
        aria-labelledby="preview-title"
        ref={dialog}
        onClose={() => setOpen(false)}
      >
        <div class="console__head">
          <h2 id="preview-title">{voice.t('preview.title')}</h2>
          <PlainButton id="preview-close" onClick={() => dialog.current?.close()}>
            {voice.t('preview.close')}
          </PlainButton>
        </div>
        {isOpen && !hasRoom && shown}
      </dialog>
    ),
  }
}

const emptyPage = '<!doctype html><html lang="en"><head><title></title></head><body></body></html>'

/** The words of pages of sales, by page and language. */
const loaded = new Map<string, Patterns>()

type Look = { state: PreviewState; language: Language; scheme: Scheme }

type Props = { text: FormText; brand: Brand; look: Look; change(look: Look): void }

function PhonePreview({ text, brand, look, change }: Props) {
  const { voice } = useView()
  const frame = useRef<HTMLIFrameElement>(null)
  const { state, language, scheme } = look

  const draw = useRef(() => {})
  draw.current = () => {
    const page = frame.current?.contentDocument
    // A frame that moved has an empty document until it has loaded, and is drawn then.
    if (!page?.body) return
    const now = Date.now()
    const standIns = { title: voice.t('preview.noTitle'), description: voice.t('preview.noDescription') }
    const sale = previewSale(text, standIns, now)
    const words = `${previewWords(sale)} ${language}`
    const patterns = loaded.get(words)
    if (patterns === undefined) return void load(words)
    const drawn = previewPage({
      ...{ sale, standIn: textAt(text, 'title').trim() === '', patterns },
      ...{ state, language, brand, assets: assetsOf(byId('main')), now },
    })
    markLanguage(page.documentElement, language)
    page.body.dataset.page = drawn.body.dataset.page ?? ''
    // The one stop for the keyboard, from which the arrow keys scroll.
    page.body.tabIndex = 0
    const paint = () => colourScheme(page, scheme)
    for (const sheet of drawn.querySelectorAll('link')) sheet.addEventListener('load', paint)
    redraw(page.head, ...drawn.head.children)
    follow(page.body, drawn.body)
    paint()
  }

  async function load(words: string): Promise<void> {
    const [name = '', language = ''] = words.split(' ')
    // The renderer prints some words in all languages, among those of the console.
    const [patterns, hasOwn] = await Promise.all([loadPatterns(name, language), loadConsoleWords(language)])
    // Without them it is drawn at the next change.
    if (patterns === undefined || !hasOwn) return
    loaded.set(words, patterns)
    draw.current()
  }

  const timer = useRef(0)
  useEffect(() => {
    timer.current ||= window.setTimeout(() => {
      timer.current = 0
      draw.current()
    }, restMs)
  }, [text])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => draw.current(), [look, brand])
  return (
    <div class="phone">
      <div class="row phone__switches">
        <Segments
          name="preview-state"
          legend={voice.t('preview.state')}
          options={previewStates.map((one) => [one, voice.t(`preview.state.${one}`)])}
          chosen={state}
          choose={(one) => change({ ...look, state: one })}
        />
        <Segments
          name="preview-language"
          legend={voice.t('preview.language')}
          options={languageNames.filter(([one]) => one === language || offeredLanguages(brand).includes(one))}
          chosen={language}
          choose={(one) => change({ ...look, language: one })}
        />
        <Segments
          name="preview-scheme"
          legend={voice.t('preview.scheme')}
          options={schemes.map((one) => [one, voice.t(`preview.scheme.${one}`)])}
          chosen={scheme}
          choose={(one) => change({ ...look, scheme: one })}
        />
      </div>
      <div class="phone__body">
        {/* Without scripts; the console itself reaches in to draw. */}
        <iframe
          class="phone__screen"
          id="preview-frame"
          title={voice.t('preview.frame')}
          sandbox="allow-same-origin"
          srcdoc={emptyPage}
          onLoad={() => draw.current()}
          ref={frame}
        />
      </div>
    </div>
  )
}

const screenScheme = (): Scheme => (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/** The addresses of what the page is built of, as the console's own page was printed with them. */
const assetsOf = ({ dataset }: HTMLElement): Assets => JSON.parse(dataset.assets ?? '{}')

/** The original condition of each media rule. */
const conditions = new WeakMap<CSSRule, string>()

/**
 * Shows a document in light or dark, against what the screen prefers. Its policy forbids styles in its HTML; rules
 * that a script changes are allowed. To be called again when a style sheet has loaded.
 */
function colourScheme({ documentElement, styleSheets }: Document, scheme: Scheme): void {
  documentElement.style.colorScheme = scheme
  for (const sheet of styleSheets) {
    for (const rule of sheet.cssRules) if (isMediaRule(rule)) applyScheme(rule, scheme)
  }
}

function applyScheme(rule: CSSMediaRule, scheme: Scheme): void {
  const condition = conditions.get(rule) ?? rule.media.mediaText
  conditions.set(rule, condition)
  const [, wanted] = /^\(prefers-color-scheme: ?(light|dark)\)$/.exec(condition) ?? []
  if (wanted !== undefined) rule.media.mediaText = wanted === scheme ? 'all' : 'not all'
}

/** The rules of another document are of its own classes. */
function isMediaRule(rule: CSSRule): rule is CSSMediaRule {
  return 'media' in rule
}

/**
 * Makes a part of one document equal to that of another, and touches only what differs: pictures do not load again
 * and animations do not start again. Gives `place` the content of `wanted`, which may lose it.
 */
function follow(place: Element, wanted: Element): void {
  const [present, next] = [[...place.childNodes], [...wanted.childNodes]]
  const isAlike = present.length === next.length && present.every((node, i) => node.nodeName === next[i]?.nodeName)
  if (!isAlike) {
    redraw(place, ...next)
    return
  }
  for (const [i, node] of present.entries()) {
    const other = next[i]
    if (other === undefined || node.isEqualNode(other)) continue
    if (isElement(node) && isElement(other) && node.cloneNode().isEqualNode(other.cloneNode())) follow(node, other)
    else place.replaceChild(other, node)
  }
}

/** The elements of another document are of its own classes. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

/** `standIn`: the title is one, because none is typed. `now` is epoch ms. */
type Drawn = {
  sale: PublicSale
  standIn: boolean
  state: PreviewState
  language: Language
  brand: Brand
  assets: Assets
  /** The words of the page, as `previewWords` names them. */
  patterns: Patterns
  now: number
}

/**
 * The page of a sale as a whole document that is not shown yet, without scripts, links that lead away, and controls that the
 * keyboard would stop at: written by the renderer of the published page, and brought to a moment of the sale by what its own
 * script draws with.
 */
function previewPage({ sale, standIn, state, language, brand, assets, patterns, now }: Drawn): Document {
  const render = sale.kind === 'red-packet' ? renderRainPage : renderSalePage
  // In the language of the preview, which the shop may not offer.
  const languages = [language, ...offeredLanguages(brand).filter((one) => one !== language)]
  const text = render(sale, assets, { now, shopUrl: undefined, brand: { ...brand, languages } })
  const page = new DOMParser().parseFromString(text, 'text/html')
  markLanguage(page.documentElement, language)
  const messages = Object.entries(patterns).map(([key, pattern]) => [key, { [language]: pattern }])
  const voice: Voice<OpeningKey> = voiceIn(Object.fromEntries(messages), language)
  voice.speak(page)
  drawMoment(voice, sale, momentOf(sale, state, now), page)
  const heading = page.querySelector('h1')
  if (standIn && heading !== null) heading.style.opacity = '0.4'
  disarm(page)
  return page
}

/** The name of the files with the words of the page of this sale. */
function previewWords({ kind, variants }: PublicSale): string {
  if (kind === 'red-packet') return 'rain'
  if (kind === 'coupon') return 'coupon'
  return variants === undefined ? 'sale' : 'variants'
}

function drawMoment(
  voice: Voice<OpeningKey>,
  sale: PublicSale,
  { phase, now, remaining }: Moment,
  page: Document,
): void {
  const { startsAt, endsAt, windows, kind, variants } = sale
  const facts = {
    ...{ phase, now, startsAt, releasedAt: undefined, hasToken: true, jitterMs: 0, turnMs: 0, cooldownLeftMs: 0 },
    ...{ sending: false, won: false, unsure: false, owns: false, pendingCheck: undefined },
  }
  const state = kind === 'red-packet' ? claimButton(facts) : buttonState(facts)
  const button = variants === undefined ? state : toChoiceButton(state)
  const part = (id: string) => {
    const found = page.getElementById(id)
    if (found === null) throw new Error(`the page of a sale has no part with the id ${id}`)
    return found
  }
  saleView(voice, part).draw({ phase, button, now, hasTime: true, startsAt, endsAt, remaining, total: sale.stock })
  const nextStartsAt = windows[1]?.startsAt ?? null
  roundsView(voice, part).draw({ startsAt, endsAt, nextStartsAt }, phase, now)
}

/** Leaves what can be seen and read, and nothing that acts, leads away or speaks by itself. */
function disarm(page: Document): void {
  for (const part of page.querySelectorAll('script, noscript, meta, .skip, link:not([rel="stylesheet"])')) {
    part.remove()
  }
  for (const link of page.querySelectorAll('a')) link.removeAttribute('href')
  for (const control of page.querySelectorAll<HTMLElement>('button, input')) control.tabIndex = -1
  for (const news of page.querySelectorAll('[role="status"]')) {
    news.removeAttribute('role')
    news.removeAttribute('aria-live')
  }
}
