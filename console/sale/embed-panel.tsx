/** "Put it on your site": the code that sells a sale on a page of another site, how it looks there, and the sites that may. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { minContrast } from '../../core/contrast.ts'
import { type Sale, textIn } from '../../core/sale/sale.ts'
import { copyText } from '../../web/save.ts'
import { ColourField, Segments, TextField } from '../parts/field.tsx'
import { FoldedPanel } from '../parts/folded-panel.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import {
  colourNames,
  type ElementKind,
  type EmbedForm,
  embedText,
  isUsable,
  lowestContrast,
  propertiesOf,
  type Theme,
  themeColours,
  themeText,
  usualTheme,
} from './embed-text.ts'

type CodeName = EmbedForm | 'style'

export function EmbedPanel({ sale }: { sale: Sale }) {
  const { voice, may } = useView()
  // The clipboard holds one text, so at most one button says so.
  const [copy, setCopy] = useState<{ name: CodeName; didCopy: boolean }>()
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<ElementKind>('sale')
  const [theme, setTheme] = useState(usualTheme)
  const { saleId, allowedOrigins = [] } = sale
  const { title } = textIn(sale, voice.language())
  const style = themeText(kind, theme)
  const code = (name: CodeName, text: string) => (
    <Code
      key={name}
      name={name}
      text={text}
      didCopy={copy?.name === name ? copy.didCopy : undefined}
      setCopied={(didCopy) => setCopy({ name, didCopy })}
    />
  )
  return (
    <FoldedPanel id="embed" title={voice.t('embed.title')} text={voice.t('embed.lead')} toggle={setOpen}>
      <h3>{voice.t('embed.preview')}</h3>
      <Segments<ElementKind>
        name="embed-kind"
        legend={voice.t('embed.kind')}
        options={[
          ['sale', voice.t('embed.kind.sale')],
          ['button', voice.t('embed.kind.button')],
        ]}
        chosen={kind}
        choose={setKind}
      />
      {/* Folded it would go on to read the sale. */}
      {isOpen && <EmbedPreview saleId={saleId} kind={kind} properties={propertiesOf(theme)} />}
      <Look theme={theme} change={(part) => setTheme({ ...theme, ...part })} />
      {(['tags', 'place'] as const).map((form) =>
        code(form, embedText(form, { kind, origin: location.origin, saleId, title })),
      )}
      {style !== '' && code('style', style)}
      <h3>{voice.t('gate.origins')}</h3>
      {allowedOrigins.length === 0 && <p>{voice.t('embed.none')}</p>}
      {allowedOrigins.length > 0 && (
        <ul id="embed-origins">
          {allowedOrigins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
            </li>
          ))}
        </ul>
      )}
      {may('editSale') && (
        <p>
          <a href={`#/sale/${saleId}/edit`}>{voice.t('embed.edit')}</a>
        </p>
      )}
      <p>{voice.t('embed.token')}</p>
    </FoldedPanel>
  )
}

/** The fields of the look, and how well its texts can be read. */
function Look({ theme, change }: { theme: Theme; change(part: Partial<Theme>): void }) {
  const { voice } = useView()
  const ratio = lowestContrast(theme)
  const isLow = ratio < minContrast
  return (
    <>
      <div class="grid">
        {colourNames.map((name) => (
          <ColourField
            key={name}
            field={{
              name: `embed.${name}`,
              label: voice.t(`embed.${name}`),
              error: isUsable(name, theme[name]) ? '' : voice.t('embed.wrongColour'),
            }}
            value={theme[name]}
            enter={(value) => change({ [name]: value })}
            usual={themeColours[name].light}
            pickId={`pick-embed-${name}`}
          />
        ))}
        <TextField
          field={{
            name: 'embed.radius',
            label: voice.t('embed.radius'),
            error: isUsable('radius', theme.radius) ? '' : voice.t('embed.wrongRadius'),
          }}
          inputmode="numeric"
          autocomplete="off"
          value={theme.radius}
          enter={(radius) => change({ radius })}
        />
      </div>
      <p class={`field__hint ${isLow ? 'field__error' : ''}`} id="embed-contrast" role="status">
        {voice.t(isLow ? 'embed.contrastLow' : 'embed.contrast', { ratio: ratio.toFixed(2) })}
      </p>
      <p class="field__hint">{voice.t('embed.usual')}</p>
    </>
  )
}

type CodeProps = { name: CodeName; text: string; didCopy?: boolean; setCopied(didCopy: boolean): void }

function Code({ name, text, didCopy, setCopied }: CodeProps) {
  const { voice } = useView()
  const code = useRef<HTMLElement>(null)
  const title = `embed-${name}-name`

  const copy = async () => setCopied(await copyText(text, code.current))
  return (
    <>
      <h3 id={title}>{voice.t(`embed.${name}`)}</h3>
      {/* Long lines scroll, so the keyboard must reach them. */}
      <pre class="embed__code" id={`embed-${name}`} role="region" aria-labelledby={title} tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
      <p class="actions">
        <WorkButton id={`embed-copy-${name}`} look="plain" aria-describedby={title} work={copy}>
          {voice.t(didCopy ? 'embed.copied' : 'embed.copy')}
        </WorkButton>
        <span role="status" class={didCopy ? 'unseen' : undefined}>
          {didCopy !== undefined && voice.t(didCopy ? 'embed.copied' : 'embed.copyByHand')}
        </span>
      </p>
    </>
  )
}

type Props = { saleId: string; kind: ElementKind; properties: readonly [property: string, value: string][] }

let loading: Promise<void> | undefined

/** Loads the script of the elements once. @throws when it cannot be loaded; the next call tries again */
function loadElements(): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/elements.js'
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('the script of the elements could not be loaded'))
    document.head.append(script)
  }).catch((failure) => {
    loading = undefined
    throw failure
  })
  return loading
}

/**
 * The element of a sale as another site shows it now: the shop's own `/elements.js`, to look at. It can sell nothing
 * here: it is inert, and the customer that it asks for never comes, so it sends no more than the reads of a waiting
 * page.
 */
function EmbedPreview({ saleId, kind, properties }: Props) {
  const { voice } = useView()
  const place = useRef<HTMLDivElement>(null)
  const [isMissing, setMissing] = useState(false)

  useEffect(() => {
    const element = document.createElement(`sluice-${kind}`)
    element.setAttribute('sale', saleId)
    Object.assign(element, { token: () => new Promise(() => undefined) })
    place.current?.append(element)
    loadElements().then(
      () => setMissing(false),
      () => setMissing(true),
    )
    return () => element.remove()
  }, [saleId, kind])

  useEffect(() => {
    const element = place.current?.firstElementChild
    if (!(element instanceof HTMLElement)) return
    element.removeAttribute('style')
    for (const [property, value] of properties) element.style.setProperty(property, value)
  })

  return (
    <figure>
      <figcaption class="note">{voice.t('embed.previewText')}</figcaption>
      <div id="embed-preview" ref={place} inert />
      {isMissing && <p role="status">{voice.t('embed.previewMissing')}</p>}
    </figure>
  )
}
