/** The form that names whom to turn away: a shopper, an address, or a range of addresses. */
import { type Block, parseBlock } from '../../../core/block.ts'
import { make } from '../dom.ts'
import { labelled } from '../labelled.ts'
import type { ViewContext } from './view.ts'

/** `add` receives the entry in its canonical form; true empties the form. */
export function blockForm(
  { voice, announce }: ViewContext,
  add: (block: Block) => Promise<boolean>,
): HTMLElement {
  const kind = make(
    'select',
    {},
    make('option', { value: 'ip' }, voice.t('block.address')),
    make('option', { value: 'shopper' }, voice.t('block.shopper')),
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

  async function send(): Promise<void> {
    const block = parseBlock(kind.value, input.value.trim())
    const wrong = kind.value === 'shopper' ? 'block.wrongShopper' : 'block.wrongAddress'
    valueField.complain(block === undefined ? voice.t(wrong) : '')
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
  return make(
    'form',
    { class: 'block', id: 'block-form', novalidate: true, submit },
    kindField.element,
    valueField.element,
    button,
  )
}
