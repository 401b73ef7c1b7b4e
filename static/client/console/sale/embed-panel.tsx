/** "Put it on your site": the code that sells a sale on a page of another site, and the sites that may. */
import { useRef, useState } from 'preact/hooks'
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { copyText } from '../../lib/clipboard.ts'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { useView } from '../view-place.ts'
import { type EmbedForm, embedText } from './embed-text.ts'

export function EmbedPanel({ sale }: { sale: Sale }) {
  const { voice, may } = useView()
  // The clipboard holds one text, so at most one button says so.
  const [copy, setCopy] = useState<{ form: EmbedForm; didCopy: boolean }>()
  const { saleId, allowedOrigins = [] } = sale
  const { title } = textIn(sale, voice.language())
  return (
    <FoldedPanel id="embed" title={voice.t('embed.title')} text={voice.t('embed.text')}>
      {(['tags', 'place'] as const).map((form) => (
        <Code
          key={form}
          form={form}
          text={embedText(form, { origin: location.origin, saleId, title })}
          didCopy={copy?.form === form ? copy.didCopy : undefined}
          setCopied={(didCopy) => setCopy({ form, didCopy })}
        />
      ))}
      <h3 class="embed__name">{voice.t('gate.origins')}</h3>
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

type CodeProps = { form: EmbedForm; text: string; didCopy?: boolean; setCopied(didCopy: boolean): void }

function Code({ form, text, didCopy, setCopied }: CodeProps) {
  const { voice } = useView()
  const code = useRef<HTMLElement>(null)
  const name = `embed-${form}-name`

  async function copy(): Promise<void> {
    const isCopied = await copyText(text)
    if (!isCopied && code.current !== null) window.getSelection()?.selectAllChildren(code.current)
    setCopied(isCopied)
  }
  return (
    <>
      <h3 class="embed__name" id={name}>
        {voice.t(`embed.${form}`)}
      </h3>
      {/* Long lines scroll, so the keyboard must reach them. */}
      <pre class="embed__code" id={`embed-${form}`} role="region" aria-labelledby={name} tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
      <p class="actions">
        <WorkButton id={`embed-copy-${form}`} look="plain" aria-describedby={name} work={copy}>
          {voice.t(didCopy ? 'embed.copied' : 'embed.copy')}
        </WorkButton>
        <span role="status" class={didCopy ? 'unseen' : undefined}>
          {didCopy !== undefined && voice.t(didCopy ? 'embed.copied' : 'embed.copyByHand')}
        </span>
      </p>
    </>
  )
}
