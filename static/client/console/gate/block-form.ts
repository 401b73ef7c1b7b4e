/** The form that names what to block: a shopper or member of staff, addresses, or a key. */
import { type Block, blockKinds, parseBlock } from '../../../../core/gate/block.ts'
import { make } from '../../lib/dom.ts'
import { clearWhenRight, labelled } from '../../lib/labelled.ts'
import type { ViewContext } from '../view.ts'
import { blockTexts } from './block-kinds.ts'

/** `add` receives the entry in its canonical form; true empties the form. */
export function blockForm(
  { voice, announce }: ViewContext,
  add: (block: Block) => Promise<boolean>,
): HTMLElement {
  const kind = make(
    'select',
    {},
    ...blockKinds.map((value) => make('option', { value }, voice.t(blockTexts[value].name))),
  )
  const input = make('input', { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' })
  const kindField = labelled('kind', voice.t('block.kind'), '', kind)
  const valueField = labelled('value', voice.t('block.value'), voice.t('block.hint'), input)
  const button = make(
    'button',
    { type: 'submit', class: 'button button--danger', id: 'block' },
    voice.t('block.do'),
  )
  let busy = false

  const entered = () => parseBlock(kind.value, input.value.trim())

  async function send(): Promise<void> {
    const block = entered()
    const chosen = blockKinds.find((value) => value === kind.value) ?? 'ip'
    valueField.complain(block === undefined ? voice.t(blockTexts[chosen].wrong) : '')
    if (busy) return
    if (block === undefined) {
      // The message about the entry before would seem to be about this one.
      announce('')
      return input.focus()
    }
    busy = true
    if (await add(block)) input.value = ''
    busy = false
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'block', id: 'block-form', novalidate: true, submit },
    kindField.element,
    valueField.element,
    button,
  )
  clearWhenRight(form, valueField, () => entered() !== undefined)
  return form
}
