/** Keeps a sale as a template under a name, and says which one it replaces. */
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { maxTemplateName, parseTemplateName, type Template } from '../../../../core/sale/template.ts'
import { make } from '../../lib/dom.ts'
import { labelled } from '../../lib/labelled.ts'
import { getLive, keepTemplate, listTemplates } from '../api.ts'
import { failureText, type Leave, type ViewContext } from '../view.ts'

export function openTemplate(context: ViewContext, saleId: string): Leave {
  let left = false
  void load()

  async function load(): Promise<void> {
    const [live, templates] = await Promise.all([getLive(saleId), listTemplates()])
    if (left) return
    if (!live.ok) context.explain(live.reply)
    else if (!templates.ok) context.explain(templates.reply)
    else drawForm(context, live.value.sale, templates.value.templates, () => left)
  }

  return () => {
    left = true
  }
}

/** `hasLeft` says whether the view was left meanwhile. */
function drawForm(
  context: ViewContext,
  sale: Sale,
  templates: readonly Template[],
  hasLeft: () => boolean,
): void {
  const { voice, announce } = context
  const { title } = textIn(sale, voice.language())
  const usual = parseTemplateName(title.slice(0, maxTemplateName)) ?? sale.saleId
  const input = make('input', { autocomplete: 'off', list: 'template-names', value: usual })
  const field = labelled(
    'template-name',
    voice.t('template.name'),
    voice.t('template.hint', { n: maxTemplateName }),
    input,
  )
  const names = make(
    'datalist',
    { id: 'template-names' },
    ...templates.map(({ name }) => make('option', { value: name })),
  )
  const news = make('p', { id: 'template-news', role: 'status' })
  const save = make('button', { type: 'submit', class: 'button', id: 'save-template' })

  function follow(): void {
    field.complain('')
    const former = templates.find(({ name }) => name === parseTemplateName(input.value))
    save.textContent = voice.t(former === undefined ? 'template.save' : 'template.replace')
    news.textContent =
      former === undefined
        ? ''
        : voice.t('template.replaces', { name: former.name, time: voice.farMoment(former.savedAt) })
  }

  let isSending = false
  async function send(): Promise<void> {
    if (isSending) return
    const name = parseTemplateName(input.value)
    if (name === undefined) {
      field.complain(voice.t('template.wrong', { n: maxTemplateName }))
      return input.focus()
    }
    isSending = true
    announce(voice.t('do.working'))
    const answer = await keepTemplate(name, sale.saleId)
    isSending = false
    if (hasLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    drawSaved(context, sale, answer.value.name)
    announce(voice.t('template.saved', { name }))
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const cancel = { class: 'button button--plain', href: `#/sale/${sale.saleId}` }
  context.show(
    make('h1', {}, voice.t('template.title')),
    make(
      'form',
      { class: 'form', id: 'template-form', novalidate: true, submit, input: follow },
      make('p', {}, voice.t('template.about', { title })),
      ...[field.element, names, news],
      make('div', { class: 'actions' }, make('a', cancel, voice.t('form.cancel')), save),
    ),
  )
  follow()
  input.focus()
  input.select()
}

function drawSaved({ voice, show }: ViewContext, { saleId }: Sale, name: string): void {
  const use = { class: 'button', id: 'use-template', href: `#/new/${encodeURIComponent(name)}` }
  const back = { class: 'button button--plain', href: `#/sale/${saleId}` }
  const useLink = make('a', use, voice.t('template.use'))
  show(
    make('h1', {}, voice.t('template.title')),
    make(
      'div',
      { class: 'form' },
      make('div', { class: 'actions' }, useLink, make('a', back, voice.t('template.back'))),
    ),
  )
  useLink.focus()
}
