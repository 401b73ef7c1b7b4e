/**
 * The element of a sale as another site shows it now: the shop's own `/elements.js`, to look at. It can sell nothing here:
 * it is inert, and the customer that it asks for never comes, so it sends no more than the reads of a waiting page.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { embedMessages } from '../../../messages/catalogues.ts'
import { useViewWith } from '../view-place.ts'
import type { ElementKind } from './embed-text.ts'

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

export function EmbedPreview({ saleId, kind, properties }: Props) {
  const { voice } = useViewWith(embedMessages)
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
    <figure class="embed__preview">
      <figcaption>{voice.t('embed.previewText')}</figcaption>
      <div id="embed-preview" ref={place} inert />
      {isMissing && <p role="status">{voice.t('embed.previewMissing')}</p>}
    </figure>
  )
}
